/** The time axis of charts of uPlot: as ISO 8601 writes times, in the zone that the user chose. */
import uPlot from 'uplot'
import type { Zone } from './format'

const ISO = [
  ['{h}:{mm}{aa}', '{HH}:{mm}'],
  ['{h}{aa}', '{HH}:{mm}'],
  ['{M}/{D}/{YY}', '{YYYY}-{MM}-{DD}'],
  ['{M}/{D}', '{MM}-{DD}'],
] as const

export function timesIn(zone: Zone): Pick<uPlot.Options, 'fmtDate' | 'tzDate'> {
  return {
    fmtDate: (template) => uPlot.fmtDate(ISO.reduce((text, [from, to]) => text.replace(from, to), template)),
    ...(zone === 'utc' && {
      tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    }),
  }
}

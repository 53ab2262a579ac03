/** Figures of resources as Markdown. Pure. */
import { megabytes, short, table } from '../figures.js'
import type { ReadFigures } from '../read/measure.js'
import type { RateFigures } from './rate.js'
import type { Resources } from './resources.js'

/** The part of a run's page. */
export function resourcesPart({ tableRows, rowBytes, rates, reads }: Resources): string[] {
  return [
    '## Objects, tables, refs, feedback',
    `The table has ${short(tableRows)} rows of ${short(rowBytes)} bytes.`,
    table(
      [
        'what',
        'connections',
        'a second',
        'target',
        'server CPU µs each',
        'request ms p50 / p99',
        'peak RSS MB',
        'acknowledged / stored / after a retry',
        'not 2xx',
      ],
      rates.map(rateRow),
    ),
    'One request at a time:',
    table(['read', 'ms p50 / p99', 'target p50', 'requests', 'kB'], reads.map(readRow)),
  ]
}

function rateRow(one: RateFigures): string[] {
  const { stored, storedAfterRetry: again, acknowledged } = one
  const counts = [acknowledged, stored, again].filter((count) => count !== undefined)
  const differ = counts.some((count) => count !== acknowledged)
  const least = one.target
  return [
    one.name,
    String(one.connections),
    `${short(one.perSecond)} ${one.unit}`,
    least === undefined ? '–' : `≥ ${short(least)}${one.perSecond < least ? ' ✗' : ''}`,
    short(one.cpuMicros),
    `${short(one.p50)} / ${short(one.p99)}`,
    megabytes(one.peakBytes),
    `${counts.map(short).join(' / ')}${differ ? ' ✗' : ''}`,
    String(one.notOk),
  ]
}

function readRow(one: ReadFigures): string[] {
  return [
    one.name,
    `${short(one.p50)} / ${short(one.p99)}`,
    targetOf(one),
    String(one.requests),
    short(one.bytes / 1000),
  ]
}

/** A budget of a read, marked where it isn't kept. */
export function targetOf({ target, p50 }: ReadFigures): string {
  return target === undefined ? '–' : `≤ ${short(target)}${p50 > target ? ' ✗' : ''}`
}

/** What a chart draws of a result: its numbers over its first column of times, one series for each of its names. Pure. */
import { largest, type Series } from '../../ui/series'

export interface Result {
  meta: readonly { name: string; type: string }[]
  data: readonly Record<string, unknown>[]
}

export interface Drawn {
  /** s since the epoch */
  times: number[]
  series: Series[]
}

const MOST = 8
const isTime = (type: string) => /^(?:Nullable\()?Date/.test(type)
const isNumber = (type: string) => /^(?:Nullable\()?(?:U?Int|Float|Decimal)/.test(type)

/** Times of the service are UTC. */
const secondsOf = (text: string) => Date.parse(text.length > 10 ? `${text.replace(' ', 'T')}Z` : text) / 1000

/** Undefined: the result has no times, or no numbers. */
export function drawnOf({ meta, data }: Result): Drawn | undefined {
  const time = meta.find(({ type }) => isTime(type))
  const numbers = meta.filter(({ type }) => isNumber(type))
  if (time === undefined || numbers.length === 0) return undefined
  const names = meta.filter((one) => one !== time && !numbers.includes(one))
  const times = [...new Set(data.map((row) => String(row[time.name])))].sort()
  const place = new Map(times.map((text, i) => [text, i]))
  const found = new Map<string, (number | null)[]>()
  for (const row of data)
    for (const { name } of numbers) {
      const group = names.map((one) => String(row[one.name])).join(' ')
      const label = group === '' ? name : numbers.length === 1 ? group : `${group} ${name}`
      const values = found.get(label) ?? times.map(() => null)
      found.set(label, values)
      values[place.get(String(row[time.name]))!] = row[name] === null ? null : Number(row[name])
    }
  const series = [...found].map(([label, values]) => ({ label, values }))
  return { times: times.map(secondsOf), series: largest(series, MOST) }
}

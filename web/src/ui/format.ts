/** Numbers and times as people read them. Pure. */

const number = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function count(value: number): string {
  return value < 100_000 ? number.format(value) : compact.format(value)
}

/** `1 trace`, `2 traces`. */
export function counted(value: number, thing: string): string {
  return `${count(value)} ${thing}${value === 1 ? '' : 's'}`
}

/** The first of many names, and how many more there are. */
export function some(names: readonly string[], most = 3): string[] {
  return names.length <= most + 1
    ? [...names]
    : [...names.slice(0, most), `${count(names.length - most)} more`]
}

/** A length of time, with three digits at most. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–'
  if (ms < 1) return ms === 0 ? '0 ms' : `${(ms * 1000).toFixed(0)} µs`
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${number.format(Math.floor(hours / 24))} d ${hours % 24} h`
}

/** US dollars. Small costs keep two digits that say something; large ones are shortened as counts are. */
export function money(value: number): string {
  if (value === 0) return '$0'
  if (Math.abs(value) >= 100_000) return `$${compact.format(value)}`
  const digits = Math.abs(value) >= 0.1 ? 2 : Math.min(10, 1 - Math.floor(Math.log10(Math.abs(value))))
  return `$${value.toLocaleString('en', { minimumFractionDigits: Math.min(digits, 2), maximumFractionDigits: digits })}`
}

/** A score or a ratio, with three digits that say something. */
export function decimal(value: number): string {
  return String(Number(value.toPrecision(3)))
}

/** A part of 1, in percent. */
export function share(value: number): string {
  return `${Number((100 * value).toPrecision(3))} %`
}

/** A size, in units of a thousand. @public */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let size = value
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

export type Zone = 'local' | 'utc'

const two = (value: number) => String(value).padStart(2, '0')

/** `2026-01-31 12:34:56.789`, in the zone that was chosen. */
export function dateTime(iso: string, zone: Zone, withMillis = false): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const parts =
    zone === 'utc'
      ? [
          at.getUTCFullYear(),
          at.getUTCMonth(),
          at.getUTCDate(),
          at.getUTCHours(),
          at.getUTCMinutes(),
          at.getUTCSeconds(),
        ]
      : [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()]
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number]
  const millis = withMillis ? `.${String(at.getUTCMilliseconds()).padStart(3, '0')}` : ''
  return `${year}-${two(month + 1)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}${millis}`
}

/** How long ago, in one unit. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000))
  if (seconds < 5) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

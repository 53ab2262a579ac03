/** Whether an alert is muted at a time: until a moment, or by its quiet hours. Pure. */
import type { QuietHours } from '../../contract/alerts.js'

/** @param now ms since the epoch, as `mutedUntil` */
export function isMuted(hours: readonly QuietHours[], mutedUntil: number, now: number): boolean {
  return now < mutedUntil || hours.some((one) => isQuiet(one, now))
}

function isQuiet({ days, from, to, timezone }: QuietHours, now: number): boolean {
  const { day, clock } = localTime(timezone, now)
  if (from < to) return days.includes(day) && from <= clock && clock < to
  // Over midnight: the evening is of this day, the morning of the one before.
  const before = day === 1 ? 7 : day - 1
  return (days.includes(day) && clock >= from) || (days.includes(before) && clock < to)
}

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** @returns the day of the week, from 1 on Monday, and the time of day as HH:MM */
function localTime(timeZone: string, now: number): { day: number; clock: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return { day: WEEK.indexOf(part.weekday!) + 1, clock: `${part.hour}:${part.minute}` }
}

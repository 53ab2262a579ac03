/** A JSON log line as text for a terminal. Knows nothing of where lines come from or go. */

const HIDDEN = new Set(['level', 'time', 'role', 'msg', 'err'])
const COLOURS: Record<string, number> = { warn: 33, error: 31, fatal: 31 }

/**
 * `12:00:01 warn  slow request  route=call.read ms=6120`, with the role before the message where it is no `heddle up`
 * itself. A line that is no JSON comes back as it is.
 */
export function textLine(line: string): string {
  let event: Record<string, unknown>
  try {
    event = JSON.parse(line) as Record<string, unknown>
  } catch {
    return line
  }
  const level = String(event.level)
  const colour = COLOURS[level]
  const shown = colour === undefined ? level.padEnd(5) : `\u001b[${colour}m${level.padEnd(5)}\u001b[0m`
  const fields = Object.entries(event)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const { stack } = (event.err ?? {}) as { stack?: string }
  const time = String(event.time).slice(11, 19)
  const who = event.role === undefined || event.role === 'up' ? '' : `${event.role}: `
  return `${time} ${shown} ${who}${event.msg ?? ''} ${fields.join('')}${stack ? `\n${stack}` : ''}\n`
}

/** Formats a JSON log line as text for a terminal. */

const HIDDEN = new Set(['level', 'time', 'role', 'msg', 'err'])
/** Characters that move a terminal's cursor, end a line, or change the reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
/** Text in which a field might seem to end, or another one to start. */
const NEEDS_QUOTES = /[\s"=]/
const COLOURS: Record<string, number> = { warn: 33, error: 31, fatal: 31 }

/**
 * `12:00:01 warn  slow request  route=call.read ms=6120`, with the role before the message unless it is `heddle up`
 * itself. Callers' text stays within its field and line: unprintable characters are escaped. Returns a line that is not
 * JSON unchanged.
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
    .map(([name, value]) => ` ${name}=${fieldText(value)}`)
  const { stack } = (event.err ?? {}) as { stack?: string }
  const time = String(event.time).slice(11, 19)
  const who = event.role === undefined || event.role === 'up' ? '' : `${event.role}: `
  const below = (stack?.split('\n') ?? []).map((one) => `\n    ${escaped(one)}`).join('')
  return `${time} ${shown} ${who}${escaped(String(event.msg ?? ''))} ${fields.join('')}${below}\n`
}

function fieldText(value: unknown): string {
  const plain = typeof value === 'string' && !NEEDS_QUOTES.test(value)
  return escaped(plain ? value : JSON.stringify(value))
}

function escaped(text: string): string {
  return text.replaceAll(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

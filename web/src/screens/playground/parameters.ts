/** The settings of a draft as fields: each is a member of their JSON, and what is not set is not there. Pure. */
import { jsonText, parseJson } from '../../api/json'
import { jsonProblem } from '../../ui/json-problem'

type Fields = Record<string, unknown>

/** undefined: the text is no JSON object */
export function settingsOf(text: string): Fields | undefined {
  if (text.trim() === '') return {}
  return jsonProblem(text, 'object') === undefined ? (parseJson(text) as Fields) : undefined
}

/** The text with a member set, or left out. @param value undefined: it is not to be sent */
export function withSetting(text: string, name: string, value: unknown): string {
  const { [name]: _, ...others } = settingsOf(text) ?? {}
  const next = value === undefined ? others : { ...others, [name]: value }
  return Object.keys(next).length === 0 ? '' : jsonText(next, 2)
}

/** Which of the two names the limit of an answer has: newer models of OpenAI refuse the older one. */
export const limitName = (settings: Fields): string =>
  Object.hasOwn(settings, 'max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens'

/** Stop sequences as one is typed a line; a line break within one is `\n`. */
export const stopText = (stop: unknown): string =>
  (Array.isArray(stop) ? stop : stop === undefined || stop === null ? [] : [stop])
    .map((one) => String(one).replaceAll('\n', '\\n'))
    .join('\n')

/** undefined: none */
export function stopsIn(text: string): string[] | undefined {
  const stops = text.split('\n').flatMap((line) => (line === '' ? [] : [line.replaceAll('\\n', '\n')]))
  return stops.length === 0 ? undefined : stops
}

/** JSON within texts of callers, read and written so that no text takes the stack or the memory of the page. Pure. */
import { isInside, jsonText, parseJson } from '../api/json'

/** Deeper JSON stays a text: what walks a value calls itself for each level. */
const DEEPEST = 200
/** Longer JSON is written without indentation, which grows with the depth: characters times levels. */
const MOST_INDENTED = 5_000_000

/** A JSON object. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields => isInside(value) && !Array.isArray(value)

/** The value of a JSON object or list within a text; anything else as it is. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || depthOf(value) > DEEPEST) return value
  try {
    return parseJson(value)
  } catch {
    return value
  }
}

/** JSON with a member in each line. */
export function indented(value: unknown): string {
  const short = jsonText(value) ?? String(value)
  return short.length * depthOf(short) > MOST_INDENTED ? short : jsonText(value, 2)
}

/** How deep JSON is nested. */
function depthOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const one = json[at]
    if (isText) {
      if (one === '\\') at++
      else if (one === '"') isText = false
    } else if (one === '"') isText = true
    else if (one === '[' || one === '{') deepest = Math.max(deepest, ++depth)
    else if (one === ']' || one === '}') depth--
  }
  return deepest
}

/** The beginning of what was said, for a list: without JSON. Pure. */

const LENGTH = 280
/** Characters of a text in which JSON is looked for. */
const LOOKED_AT = 20_000
/** What stands in the place of JSON. */
const JSON_MARK = '[JSON]'

/** `text` without JSON at its beginning, other JSON by a mark, cut. */
export function previewOf(text: string): string {
  const shown = withoutJson(text.slice(0, LOOKED_AT)).trim()
  const letters = [...(shown === '' && text !== '' ? JSON_MARK : shown)]
  return letters.length > LENGTH ? `${letters.slice(0, LENGTH).join('')}…` : letters.join('')
}

function withoutJson(text: string): string {
  let shown = ''
  for (let at = 0; at < text.length; ) {
    const end = jsonEnd(text, at)
    if (end === at) shown += text[at++]
    else {
      if (shown.trim() !== '') shown += JSON_MARK
      at = end
    }
  }
  return shown
}

/** Where the object or the list of objects ends that begins at `start`; `start` if there is none. */
function jsonEnd(text: string, start: number): number {
  const opening = /^(?:\{\s*(?:"|\})|\[\s*\{)/
  if ((text[start] !== '{' && text[start] !== '[') || !opening.test(text.slice(start, start + 64)))
    return start
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (letter === '{' || letter === '[') depth++
    else if ((letter === '}' || letter === ']') && --depth === 0)
      return isJson(text.slice(start, at + 1)) ? at + 1 : start
  }
  return start
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

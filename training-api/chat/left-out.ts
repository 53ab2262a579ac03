/** Names what of a request was left out, in a header of its answer. Pure. */

const MOST_NAMED = 20
const LONGEST_NAME = 100

/** The header of an answer, none if nothing was left out. @param types as the caller wrote them */
export function leftOutHeader(types: readonly string[]): Record<string, string> {
  if (types.length === 0) return {}
  return { 'x-heddle-left-out': types.slice(0, MOST_NAMED).map(headerText).join(', ') }
}

function headerText(text: string): string {
  return text.slice(0, LONGEST_NAME).replaceAll(/[^\w.-]/g, '_')
}

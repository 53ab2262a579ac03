/** Finds the refs of objects in values. Pure. */

/** The most that one value is searched for. */
const MOST = 5_000

export const isRef = (text: unknown): text is string =>
  typeof text === 'string' && /^weave:\/\/\/[^/\s]+\/[^/\s]+\/object\/[^/\s]+:\S{1,2000}$/.test(text)

/** What begins a ref of a part of an object: of a whole one, a list shows the name. */
const PART = /\/(?:attr|key|index|id)\//

/** The refs of parts of objects in a value, each once. */
export const partRefsIn = (value: unknown): string[] => refsIn(value).filter((ref) => PART.test(ref))

/** The refs of objects in a value, each once. */
export function refsIn(value: unknown): string[] {
  const found = new Set<string>()
  const rest = [value]
  while (rest.length > 0 && found.size < MOST) {
    const one = rest.pop()
    if (isRef(one)) found.add(one)
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) rest.push(inner)
  }
  return [...found]
}

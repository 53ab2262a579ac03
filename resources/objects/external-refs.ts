/**
 * Stored values as answers give them: refs under the names of their projects. Texts are passed on as they are where
 * there is no ref inside. Knows nothing of objects.
 */

import type { ProjectRegister } from '../../domain/projects/register.js'
import { refToExternal } from '../../domain/refs/refs.js'

const INTERNAL = 'weave-trace-internal:///'
const IDS = /"weave-trace-internal:\/\/\/([^/"\\]+)\//g

/** JSON texts of internal form in the wire form, in order; null stays. */
export async function wireTexts(
  register: ProjectRegister,
  texts: readonly (string | null)[],
): Promise<(string | null)[]> {
  const ids = new Set<string>()
  for (const text of texts) for (const match of text?.matchAll(IDS) ?? []) ids.add(match[1]!)
  if (ids.size === 0) return [...texts]
  await register.learn(ids)
  return texts.map((text) =>
    text?.includes(INTERNAL) ? externalText(text, (id) => register.nameOf(id)) : text,
  )
}

/** A text that is an internal ref as a whole and no key. Quotes inside texts stand behind a backslash. */
const REF = /(?<!\\)"weave-trace-internal:\/\/\/[^"\\]*(?:\\.[^"\\]*)*"(?!\s*:)/g

/** A stored text in the wire form. By the text alone: it may have more values than a tree should. */
export function externalText(text: string, nameOf: (id: string) => string | undefined): string {
  return text.replace(REF, (ref) => {
    const internal = String(JSON.parse(ref))
    const wire = refToExternal(internal, nameOf)
    return wire === internal ? ref : JSON.stringify(wire)
  })
}

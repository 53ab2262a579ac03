/** Converts stored values for answers: refs get the names of their projects. Texts without refs pass unchanged. */

import type { ProjectRegister } from '../../domain/projects/register.js'
import { refToExternal } from '../../domain/refs/refs.js'

const INTERNAL = 'weave-trace-internal:///'
const IDS = /"weave-trace-internal:\/\/\/([^/"\\]+)\//g

/** Converts JSON texts from internal to wire form, in order; null stays. */
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

/** A string that is entirely an internal ref, and not a key. Quotes inside strings have a backslash before them. */
const REF = /(?<!\\)"weave-trace-internal:\/\/\/[^"\\]*(?:\\.[^"\\]*)*"(?!\s*:)/g

/** Converts a stored text to wire form without parsing it: it may have too many values for a tree. */
export function externalText(text: string, nameOf: (id: string) => string | undefined): string {
  return text.replace(REF, (ref) => {
    const internal = String(JSON.parse(ref))
    const wire = refToExternal(internal, nameOf)
    return wire === internal ? ref : JSON.stringify(wire)
  })
}

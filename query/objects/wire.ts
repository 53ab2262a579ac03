/**
 * Stored values as answers give them: refs under the names of their projects. Texts are passed on as they are where
 * there is no ref inside. Knows nothing of objects.
 */
import { refsToExternal } from '../../common/digest/refs.js'
import { parseTree, treeText } from '../../common/json/tree.js'
import type { ProjectRegister } from '../../common/projects/register.js'

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
  return texts.map((text) => (text?.includes(INTERNAL) ? external(text, register) : text))
}

function external(text: string, register: ProjectRegister): string {
  return treeText(refsToExternal(parseTree(text), (id) => register.nameOf(id)))
}

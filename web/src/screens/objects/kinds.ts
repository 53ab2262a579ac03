/** What an object is, by its class and value. Pure. */

import type { Obj } from '../../api/objects'
import { isFields } from '../../ui/parsed'

/** Classes that a project's objects commonly have, to filter by. */
export const TYPES = [
  'Dataset',
  'Prompt',
  'Model',
  'Evaluation',
  'Scorer',
  'Leaderboard',
  'SavedView',
  'AnnotationSpec',
  'Op',
] as const

export const typeOf = ({ kind, base_object_class: base }: Pick<Obj, 'kind' | 'base_object_class'>): string =>
  kind === 'op' ? 'Op' : (base ?? 'Object')

/** The digest of the file with the code of an op. */
export function codeOf(value: unknown): string | undefined {
  const files = isFields(value) && isFields(value.files) ? value.files : {}
  const digest = files['obj.py'] ?? files['obj.ts'] ?? Object.values(files)[0]
  return typeof digest === 'string' ? digest : undefined
}

/** The line that reads a version from Python. */
export const snippetOf = (ref: string): string => `import weave\n\nobject = weave.ref("${ref}").get()`

export const refOf = ({ project_id, kind, object_id, digest }: Omit<Obj, 'val'>): string =>
  `weave:///${project_id}/${kind}/${object_id}:${digest}`

/** The text of a prompt, or its messages. */
export function promptOf(value: unknown): string | undefined {
  return isFields(value) && typeof value.content === 'string' ? value.content : undefined
}

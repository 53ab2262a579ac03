/** `heddle token-ids`: whether a project keeps the token ids of completions, to train on as they are. */
import { tokenIdsRead, tokenIdsUpdate } from '../../contract/project-settings.js'
import { answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import type { Shown } from '../shown.js'

/** What holds, after it was changed if that is asked. */
export async function tokenIdsOf(
  to: Target,
  project: string,
  { on, off }: { on?: boolean; off?: boolean },
): Promise<Shown> {
  const value = await (on || off
    ? answerIn(to, project, tokenIdsUpdate, { keep: on ?? false })
    : answerIn(to, project, tokenIdsRead))
  return { value, text: `token ids of completions in ${project} are ${value.keep ? '' : 'not '}kept\n` }
}

/** `heddle token-ids`: whether a project keeps the token ids of completions, to train on as they are. */
import { projectNamed, sendJson, type Target } from '../http-client.js'
import type { Shown } from '../shown.js'

/** @param keep undefined: changes nothing @returns what holds then */
export async function tokenIdsOf(to: Target, project: string, keep: boolean | undefined): Promise<Shown> {
  const asked = { project_id: projectNamed(project) }
  const [route, body] = keep === undefined ? ['read', asked] : ['update', { ...asked, keep }]
  const value = await sendJson<{ keep: boolean }>(to, `/project/token_ids_settings/${route}`, body)
  return { value, text: `token ids of completions in ${project} are ${value.keep ? '' : 'not '}kept\n` }
}

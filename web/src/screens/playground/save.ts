/** Saves the messages of a draft as a prompt object. */

import { post } from '../../api/client'
import { latestObject } from '../../api/datasets'
import { changedPrompt } from '../prompts/changed'
import { type DraftMessage, promptMessages, promptValue } from './draft'

/**
 * Makes a prompt, or the next version of the one that has this name: what else it holds stays as it is.
 * @returns the digest of the version
 * @throws if the name is that of another object, or somebody saves a version at the same time
 */
export async function savePrompt(
  project: string,
  name: string,
  messages: readonly DraftMessage[],
): Promise<string> {
  const old = await latestObject(project, name)
  if (old !== undefined && promptMessages(old.val) === undefined)
    throw new Error(`${name} is there already, and is no prompt.`)
  const val = old === undefined ? promptValue(name, messages) : changedPrompt(old.val, messages)
  const base = old === undefined ? {} : { base_digest: old.digest }
  return (await post('/obj/create', { obj: { project_id: project, object_id: name, val, ...base } })).digest
}

/** Makes API keys. A key is shown once, by the caller: only its hash is stored. */
import type { Store } from '../../platform/clickhouse/store.js'
import { type Grant, Principal } from '../../platform/http/principal.js'
import { isProjectName } from '../../platform/ids/project.js'
import { hashKey, newKey, newKeyId, userIdOf } from './api-key.js'
import { insertKey } from './key-table.js'

export interface NewKey {
  user: string
  label: string
  grants: readonly Grant[]
  /** `entity/project` the project for its chat completions; empty: none */
  traceProject: string
}

/** What is wrong with it, in a sentence without its full stop; undefined: nothing. */
export function problemOf({ user, grants, traceProject }: NewKey): string | undefined {
  if (!/^[\w.@+-]{1,128}$/.test(user))
    return `"${user}" is not a user name; use at most 128 letters, digits and . _ @ + -`
  if (traceProject === '') return undefined
  if (!isProjectName(traceProject)) return `"${traceProject}" is not a project; write entity/project`
  return new Principal('', user, grants).may('write', traceProject)
    ? undefined
    : `the key has no right to write to ${traceProject}, where it would log; grant it`
}

/** Creates a key. The result is shown once and not stored. */
export async function createKey(
  store: Store,
  { user, label, grants, traceProject }: NewKey,
): Promise<{ key: string; keyId: string }> {
  const key = newKey()
  const keyId = newKeyId()
  const who = { userId: userIdOf(user), username: user }
  await insertKey(store, { hash: hashKey(key), keyId, ...who, label, grants: [...grants], traceProject })
  return { key, keyId }
}

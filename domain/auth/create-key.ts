/** Makes API keys. A key is shown once, by the caller: only its hash is stored. */
import type { Store } from '../../platform/clickhouse/store.js'
import { type Grant, type KeyLimits, Principal } from '../../platform/http/principal.js'
import { isProjectName } from '../../platform/ids/project.js'
import { isNetwork } from '../../platform/networks/networks.js'
import { hashKey, newKey, newKeyId, userIdOf } from './api-key.js'
import { insertKey } from './key-table.js'

export interface NewKey {
  user: string
  label: string
  grants: readonly Grant[]
  /** `entity/project` the project for its chat completions; empty: none */
  traceProject: string
  /** default: what follows from the name */
  userId?: string
  /** ms since the epoch; default: it does not expire */
  expiresAt?: number | undefined
  limits?: KeyLimits
  /** a personal key: it has what of these rights its user has at the time; without grants, all of them */
  followsUser?: boolean
  /** id of the key that it is rotated from */
  replaces?: string
}

/** What is wrong with it, in a sentence without its full stop; undefined: nothing. */
export function problemOf({ user, grants, traceProject, expiresAt, limits }: NewKey): string | undefined {
  if (!/^[\w.@+-]{1,128}$/.test(user))
    return `"${user}" is not a user name; use at most 128 letters, digits and . _ @ + -`
  if (expiresAt !== undefined && expiresAt <= Date.now()) return 'the key would have expired already'
  const network = limits?.addresses?.find((text) => !isNetwork(text))
  if (network !== undefined)
    return `"${network}" is no address; write one as 10.0.0.7, or a network as 10.0.0.0/8`
  if (traceProject === '') return undefined
  if (!isProjectName(traceProject)) return `"${traceProject}" is not a project; write entity/project`
  return new Principal('', user, grants).within('chat-completions').may('write', traceProject)
    ? undefined
    : `the key has no right to write to ${traceProject}, where it would log; grant it`
}

/** Creates a key. The result is shown once and not stored. */
export async function createKey(
  store: Store,
  { user, userId = userIdOf(user), grants, ...rest }: NewKey,
): Promise<{ key: string; keyId: string }> {
  const key = newKey()
  const keyId = newKeyId()
  await insertKey(store, {
    ...{ hash: hashKey(key), keyId, userId, username: user, grants: [...grants] },
    ...rest,
  })
  return { key, keyId }
}

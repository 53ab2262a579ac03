/** `heddle keys`: creates, lists and revokes API keys. The only place that shows a key, once. */
import { hashKey, newKey, newKeyId, userIdOf } from '../../domain/auth/api-key.js'
import { parseGrant } from '../../domain/auth/grants.js'
import { findKeys, insertKey, type KeyRow, listKeys, revokeKey } from '../../domain/auth/key-table.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { type Grant, Principal } from '../../platform/http/principal.js'
import { isProjectName } from '../../platform/ids/project.js'
import { CommandError } from '../command.js'
import { list, type Shown } from '../shown.js'

export interface NewKey {
  user: string
  label: string
  grants: Grant[]
  /** `entity/project` the project for its chat completions; empty: none */
  traceProject: string
}

/**
 * Checks the options of the command line.
 * @param grants `scope:right` each, see {@link parseGrant}
 */
export function newKeyFrom(
  user: string,
  label: string,
  grants: readonly string[],
  traceProject = '',
): NewKey {
  if (!/^[\w.@+-]{1,128}$/.test(user)) {
    throw new CommandError(`"${user}" is not a user name; use at most 128 letters, digits and . _ @ + -`, 2)
  }
  const key = { user, label, grants: grants.map(grantOf), traceProject }
  if (traceProject !== '') {
    if (!isProjectName(traceProject))
      throw new CommandError(`"${traceProject}" is not a project; write entity/project`, 2)
    if (!new Principal('', user, key.grants).may('write', traceProject))
      throw new CommandError(
        `the key has no right to write to ${traceProject}, where it would log; see --grant`,
        2,
      )
  }
  return key
}

/** Creates a key. The result is shown once and not stored. */
export async function createKey(
  store: Store,
  { user, label, grants, traceProject }: NewKey,
): Promise<{ key: string; keyId: string }> {
  const key = newKey()
  const keyId = newKeyId()
  const who = { userId: userIdOf(user), username: user }
  await insertKey(store, { hash: hashKey(key), keyId, ...who, label, grants, traceProject })
  return { key, keyId }
}

/**
 * Ends a key.
 * @param named its id, or the key itself, for someone who found a key
 */
export async function endKey(store: Store, named: string): Promise<void> {
  const [found] = await findKeys(store, [hashKey(named)])
  if (!(await revokeKey(store, found?.keyId ?? named))) {
    throw new CommandError('key not found; `heddle keys list` shows the ids')
  }
}

/** The keys, without their hashes. */
export async function keyList(store: Store): Promise<Shown> {
  const keys = (await listKeys(store)).map(({ hash: _, ...key }) => key)
  return list(keys, ['ID', 'USER', 'GRANTS', 'LOGS TO', 'LABEL', 'CREATED', 'STATE', 'REVOKED'], cells)
}

function cells({
  keyId,
  username,
  grants,
  traceProject,
  label,
  createdAt,
  revokedAt,
}: Omit<KeyRow, 'hash'>): string[] {
  const what = grants.map(({ scope, right }) => `${scope}:${right}`).join(' ')
  const state = revokedAt === undefined ? 'live' : 'revoked'
  return [keyId, username, what || '-', traceProject || '-', label || '-', createdAt, state, revokedAt ?? '-']
}

function grantOf(text: string) {
  try {
    return parseGrant(text)
  } catch (error) {
    throw new CommandError((error as Error).message, 2)
  }
}

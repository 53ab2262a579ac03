/** The development key of `heddle up`: generated at the first start, kept in the data folder, stored hashed like any other. */
import { hashKey, newKey, newKeyId, userIdOf } from '../../domain/auth/api-key.js'
import { findKeys, insertKey } from '../../domain/auth/key-table.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { auditedHere } from '../audited.js'
import { CommandError } from '../command.js'
import type { DataFolder } from './data-folder.js'

const USERNAME = 'dev'

/**
 * Returns the key to print; it works from then on.
 * @param given the value of HEDDLE_DEV_API_KEY
 */
export async function developmentKey(
  store: Store,
  data: DataFolder,
  given: string | undefined,
): Promise<string> {
  const kept = given ?? data.readDevKey()
  const state = kept === undefined ? 'absent' : await stateOf(store, kept)
  if (kept !== undefined && state === 'live') return kept
  if (given !== undefined && state === 'revoked') {
    throw new CommandError(
      'the key in HEDDLE_DEV_API_KEY was revoked; set another one, or unset it to create one',
      2,
    )
  }
  const key = kept !== undefined && state === 'absent' ? kept : newKey()
  // First the file, then the store: a working key that nobody knows would be worse than the reverse.
  if (given === undefined) data.writeDevKey(key)
  const keyId = newKeyId()
  const grants = [{ scope: '*', right: 'admin' as const }]
  const target = { key_id: keyId, username: USERNAME, grants }
  await auditedHere(store, { action: 'up', category: 'access', target }, () =>
    insertKey(store, {
      ...{ hash: hashKey(key), keyId, userId: userIdOf(USERNAME), username: USERNAME },
      ...{ label: 'development', grants },
    }),
  )
  return key
}

async function stateOf(store: Store, key: string): Promise<'absent' | 'live' | 'revoked'> {
  const [row] = await findKeys(store, [hashKey(key)])
  if (row === undefined) return 'absent'
  return row.revokedAt === undefined ? 'live' : 'revoked'
}

/** `heddle keys`: creates, lists and revokes API keys. The pages do so, too: resources/keys. */
import * as contract from '../../contract/keys.js'
import { hashKey } from '../../domain/auth/api-key.js'
import { type NewKey, problemOf } from '../../domain/auth/create-key.js'
import { entityOf, parseGrant } from '../../domain/auth/grants.js'
import { findKeys, type KeyRow, keyWithId, listKeys, revokeKey } from '../../domain/auth/key-table.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { CommandEvent } from '../audited.js'
import { CommandError } from '../command.js'
import { withConfiguredStore } from '../configured-store.js'
import { answerOf } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { list, type Shown } from '../shown.js'
import type { KeyChangeFlags } from './commands.js'

/** What a key is limited to, by options. */
interface Limits {
  areas?: string[] | undefined
  days?: number | undefined
  models?: string[] | undefined
  addresses?: string[] | undefined
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
  { areas, days, models, addresses }: Limits = {},
): NewKey {
  const key: NewKey = {
    ...{ user, label, traceProject },
    grants: grantsFrom(grants, areas),
    expiresAt: days === undefined ? undefined : Date.now() + days * DAY_MS,
    limits: { ...(models && { models }), ...(addresses && { addresses }) },
  }
  const problem = problemOf(key)
  if (problem !== undefined) throw new CommandError(problem, 2)
  return key
}

/** What the audit log says of a new key. */
export function creating({ user, grants, traceProject }: NewKey): CommandEvent {
  const target = { username: user, grants, ...(traceProject && { trace_project: traceProject }) }
  return { action: 'keys create', category: 'access', target, scope: entityOf(grants) ?? '' }
}

/**
 * Ends a key of the store of this machine.
 * @param named its id, or the key itself, for someone who found a key
 */
export async function endKeyHere(named: string): Promise<void> {
  await withConfiguredStore(async (store) => {
    const [found] = await findKeys(store, [hashKey(named)])
    const key = found ?? (await keyWithId(store, named))
    const unknown = new CommandError('key not found; `heddle keys list` shows the ids')
    // What was given may be a key, and is not written.
    if (key === undefined) throw unknown
    const { keyId, username } = key
    const target = { key_id: keyId, username }
    const { auditedHere } = await import('../audited.js')
    const scope = entityOf(key.grants) ?? ''
    await auditedHere(store, { action: 'keys revoke', category: 'access', target, scope }, async () => {
      if (!(await revokeKey(store, keyId))) throw unknown
    })
  })
}

/** Makes a key on a server, with rights over what the key of `to` administers. */
export async function createKeyAt(to: Target, asked: NewKey): Promise<{ key: string; keyId: string }> {
  const { user: username, label, grants, traceProject, expiresAt, limits } = asked
  const made = await answerOf(to, contract.createKey, {
    ...{ username, label, grants, ...limits, trace_project: traceProject || undefined },
    expires_at: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  })
  return { key: made.key, keyId: made.key_id }
}

/** Makes a key of a server that replaces another, which works for `hours` yet. */
export async function rotateKeyAt(
  to: Target,
  key_id: string,
  hours: number,
): Promise<{ key: string; keyId: string }> {
  const body = { overlap_seconds: Math.round(hours * 3600) }
  const made = await answerOf(to, contract.rotateKey, body, { params: { key_id } })
  return { key: made.key, keyId: made.key_id }
}

/**
 * The changes of a key that options ask for.
 * @throws CommandError for options that don't fit, or none
 */
export function changesFrom(options: KeyChangeFlags) {
  const { label, grant, area, logChatTo, expires, model, address } = options
  if (area !== undefined && grant === undefined)
    throw new CommandError('--area says what grants are for: name them with --grant', 2)
  const days = Number(expires)
  if (expires !== undefined && expires !== NEVER && !(days > 0))
    throw new CommandError('--expires takes a number of days, or never', 2)
  const listed = (names: string[]) => (names.length === 1 && names[0] === ALL ? null : names)
  const changes = {
    label,
    grants: grant && grantsFrom(grant, area),
    trace_project: logChatTo === NONE ? null : logChatTo,
    expires_at: expires === NEVER ? null : expires && new Date(Date.now() + days * DAY_MS).toISOString(),
    models: model && listed(model),
    addresses: address && listed(address),
  }
  if (Object.values(changes).every((one) => one === undefined))
    throw new CommandError('name what to change, such as --expires 30 or --label ci', 2)
  return changes
}

const [NEVER, NONE, ALL] = ['never', 'none', 'all']

/** Changes a key of a server. */
export async function setKeyAt(
  to: Target,
  key_id: string,
  changes: ReturnType<typeof changesFrom>,
): Promise<void> {
  await answerOf(to, contract.updateKey, changes, { params: { key_id } })
}

/** Ends a key of a server. @param key_id of it, not the key itself */
export async function endKeyAt(to: Target, key_id: string): Promise<void> {
  await answerOf(to, contract.revokeKey, undefined, { params: { key_id } })
}

const DAY_MS = 86_400_000

/** The live keys of a server whose rights all lie in what the key of `to` administers. */
export async function keysAt(to: Target): Promise<Shown> {
  const { keys } = await answerOf(to, contract.listKeys)
  return list(keys, ['ID', 'USER', 'GRANTS', 'LOGS TO', 'LABEL', 'CREATED'], (key) => [
    ...[
      key.key_id,
      key.username,
      granted(key.grants),
      key.trace_project ?? '-',
      key.label || '-',
      key.created_at,
    ],
  ])
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
  expiresAt,
  isUserInactive,
}: Omit<KeyRow, 'hash'>): string[] {
  const isExpired = expiresAt !== undefined && expiresAt <= Date.now()
  const state =
    revokedAt !== undefined ? 'revoked' : isExpired ? 'expired' : isUserInactive ? 'inactive' : 'live'
  return [
    keyId,
    username,
    granted(grants),
    traceProject || '-',
    label || '-',
    createdAt,
    state,
    revokedAt ?? '-',
  ]
}

function granted(grants: KeyRow['grants']): string {
  const text = ({ scope, right, area }: KeyRow['grants'][number]) =>
    area === undefined ? `${scope}:${right}` : `${scope}:${right} (${area})`
  return grants.map(text).join(' ') || '-'
}

/** @param areas undefined: all @throws CommandError for what is no grant */
function grantsFrom(texts: readonly string[], areas: readonly string[] | undefined): NewKey['grants'] {
  const grants = texts.map(grantOf)
  return areas ? areas.flatMap((area) => grants.map((grant) => ({ ...grant, area }))) : grants
}

function grantOf(text: string) {
  try {
    return parseGrant(text)
  } catch (error) {
    throw new CommandError((error as Error).message, 2)
  }
}

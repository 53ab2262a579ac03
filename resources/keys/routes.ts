/** The routes that manage API keys and list secrets, bound. Each caller sees and gives what it administers. */
import * as declared from '../../contract/keys.js'
import { userIdOf } from '../../domain/auth/api-key.js'
import { createKey, type NewKey, problemOf } from '../../domain/auth/create-key.js'
import { checkScope, common, entityOf } from '../../domain/auth/grants.js'
import { beyond } from '../../domain/auth/key-limits.js'
import { isLive } from '../../domain/auth/key-ring.js'
import {
  expireKey,
  type KeyChange,
  type KeyRow,
  keysOfUser,
  keyWithId,
  listKeys,
  revokeKey,
  updateKey,
} from '../../domain/auth/key-table.js'
import { mustHold } from '../../domain/people/authority.js'
import { normalName, sessionKeyId } from '../../domain/people/user.js'
import { userNamed, usersWithIds } from '../../domain/people/user-table.js'
import { Secrets } from '../../domain/secrets/secrets.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Grant, KeyLimits, Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Parts } from '../parts.js'

const DAY_MS = 86_400_000
/** Personal keys end after this time, unless another one is asked for. */
const PERSONAL_MS = 90 * DAY_MS

export function keyRoutes({ store }: Pick<Parts, 'store'>): Bound[] {
  const secrets = new Secrets(store, undefined)
  /** @throws 400 if something is wrong with it */
  const made = async (asked: NewKey): Promise<{ keyId: string; reply: Reply }> => {
    const { key, keyId } = await createKey(store, asked)
    const answer = JSON.stringify({ key, key_id: keyId })
    return { keyId, reply: new Reply(200, 'application/json', answer, { 'cache-control': 'no-store' }) }
  }
  /** Whose key it is to be: a service account of theirs, themselves, or a name that is no user's. */
  const ownerNamed = async (actor: Principal, name: string): Promise<{ user: string; userId: string }> => {
    if (name === actor.username) return { user: name, userId: actor.userId }
    const user = await userNamed(store, normalName(name))
    if (user === undefined) {
      const [other] = await usersWithIds(store, [userIdOf(name)])
      if (other !== undefined) throw errors.nameTaken(name)
      return { user: name, userId: userIdOf(name) }
    }
    if (user.kind === 'person') throw errors.personsKey(user.username)
    actor.must('admin', user.scope)
    if (!user.active) throw errors.userInactive()
    return { user: user.username, userId: user.userId }
  }
  const keyIn = async (principal: Principal, keyId: string): Promise<KeyRow> => {
    const found = await keyWithId(store, keyId)
    if (found === undefined || !isIn(principal, found)) throw errors.notFound(`The key ${keyId}`)
    return found
  }
  /** Stores what is changed of a key. @returns the key as it is then @throws 400, 404 */
  const changed = async (principal: Principal, found: KeyRow, change: KeyChange, whole = change.grants) => {
    const problem = problemOf({ user: found.username, ...change, grants: whole })
    if (problem !== undefined) throw errors.badRequest(`${problem}.`)
    const { keyId } = found
    if (!(await updateKey(store, keyId, change))) throw errors.notFound(`The key ${keyId}`)
    return shown(principal, { ...found, ...change })
  }
  return [
    serve(declared.listKeys, async ({ principal }) => ({
      keys: (await listKeys(store)).filter((row) => isIn(principal, row)).map((row) => shown(principal, row)),
    })),
    serve(declared.createKey, async ({ body, principal, note }) => {
      const grants = grantsOf(body.grants)
      mustAdminister(principal, grants)
      const { limits, expiresAt } = limitsOf(body)
      mustHaveLimits(principal, { limits, expiresAt })
      const { username, label, trace_project } = body
      const owner = await ownerNamed(principal, username ?? principal.username)
      const asked = { ...owner, limits, expiresAt, label, grants, traceProject: trace_project ?? '' }
      const problem = problemOf(asked)
      if (problem !== undefined) throw errors.badRequest(`${problem}.`)
      const { keyId, reply } = await made(asked)
      note?.({ target: { key_id: keyId }, ...inEntity(grants) })
      return reply
    }),
    serve(declared.revokeKey, async ({ params, principal, note }) => {
      const found = await keyIn(principal, params.key_id)
      if (!(await revokeKey(store, found.keyId))) throw errors.notFound(`The key ${params.key_id}`)
      note?.({ target: { username: found.username }, ...inEntity(found.grants) })
      return {}
    }),
    serve(declared.updateKey, async ({ params, principal, body, note }) => {
      const found = await keyIn(principal, params.key_id)
      if (found.followsUser) throw errors.personsKey(found.username)
      const change = changeOf(found, body)
      // Also what it has already: who could not make the key may not let it live longer, or work from elsewhere.
      mustAdminister(principal, change.grants)
      mustAdminister(principal, found.grants)
      mustHaveLimits(principal, change)
      mustHaveLimits(principal, found)
      note?.({ target: { username: found.username }, ...inEntity([...found.grants, ...change.grants]) })
      return changed(principal, found, change)
    }),
    serve(declared.rotateKey, async ({ params, principal, body, note }) => {
      const found = await keyIn(principal, params.key_id)
      // The new one is shown to who asks, so it may have no more than they may give.
      if (found.followsUser) throw errors.personsKey(found.username)
      mustAdminister(principal, found.grants)
      const lifetime =
        found.expiresAt === undefined ? undefined : found.expiresAt - Date.parse(found.createdAt)
      const expiresAt = timeOf(body.expires_at) ?? (lifetime && Date.now() + lifetime)
      mustHaveLimits(principal, { limits: found.limits, expiresAt })
      const { username: user, userId, label, grants, traceProject, limits } = found
      const asked = { user, userId, label, grants, traceProject, limits, expiresAt, replaces: found.keyId }
      const problem = problemOf(asked)
      if (problem !== undefined) throw errors.badRequest(`${problem}.`)
      const { keyId, reply } = await made(asked)
      await expireKey(store, found.keyId, Date.now() + body.overlap_seconds * 1000)
      note?.({ target: { username: user, new_key_id: keyId }, ...inEntity(grants) })
      return reply
    }),
    serve(declared.listOwnKeys, async ({ principal }) => {
      if (!principal.isUser) throw errors.noUser()
      const rows = await keysOfUser(store, principal.userId)
      return {
        keys: rows.filter((row) => row.followsUser && isLive(row)).map((row) => shown(principal, row)),
      }
    }),
    serve(declared.createOwnKey, async ({ body, principal, note }) => {
      // A key that makes keys could make one with more than it has itself, and one that outlives it.
      if (principal.keyId !== sessionKeyId(principal.userId)) throw errors.noUser()
      const grants = grantsOf(body.grants)
      mustHold(principal, grants)
      const { userId, username: user, whole } = principal
      const asked = {
        ...{ user, userId, ...limitsOf(body), label: body.label, grants, followsUser: true },
        traceProject: body.trace_project ?? '',
        expiresAt: timeOf(body.expires_at) ?? Date.now() + PERSONAL_MS,
      }
      const problem = problemOf({ ...asked, grants: common(whole.grants, grants) })
      if (problem !== undefined) throw errors.badRequest(`${problem}.`)
      const { keyId, reply } = await made(asked)
      note?.({ target: { key_id: keyId }, ...inEntity(grants) })
      return reply
    }),
    serve(declared.updateOwnKey, async ({ params, principal, body, note }) => {
      if (principal.keyId !== sessionKeyId(principal.userId)) throw errors.noUser()
      const found = await keyWithId(store, params.key_id)
      if (found === undefined || !found.followsUser || found.userId !== principal.userId || !isLive(found))
        throw errors.notFound(`The key ${params.key_id}`)
      const change = changeOf(found, body)
      if (body.grants !== undefined) mustHold(principal, change.grants)
      note?.(inEntity(change.grants))
      return changed(principal, found, change, common(principal.whole.grants, change.grants))
    }),
    serve(declared.revokeOwnKey, async ({ params, principal }) => {
      if (!principal.isUser) throw errors.noUser()
      const found = await keyWithId(store, params.key_id)
      const isOwn = found?.followsUser && found.userId === principal.userId
      if (!isOwn || !(await revokeKey(store, found.keyId))) throw errors.notFound(`The key ${params.key_id}`)
      return {}
    }),
    serve(declared.listSecrets, async ({ principal }) => ({
      secrets: (await secrets.list()).filter(({ scope }) => principal.may('admin', scope)),
    })),
  ]
}

/** @throws `BAD_NAME` (400) */
function grantsOf(
  asked: readonly { scope: string; right: Grant['right']; area?: string | undefined }[],
): Grant[] {
  return asked.map(({ scope, right, area }) => {
    checkScope(scope)
    if (area?.includes(':')) throw errors.badName(`"${area}" is no area: GET /roles lists them.`)
    return { scope, right, ...(area !== undefined && { area }) }
  })
}

/** Throws `NO_RIGHT` or `UNHELD_RIGHT` (403) unless the caller may give these rights to a key that keeps them. */
function mustAdminister(principal: Principal, grants: readonly Grant[]): void {
  for (const { scope } of grants) principal.must('admin', scope)
  mustHold(principal, grants)
  // Such a key owns what it administers: who gives it must, too.
  const owning = grants.find(
    ({ scope, right, area }) =>
      right === 'admin' && (area === undefined || area === 'SCIM') && !principal.owns(scope),
  )
  if (owning !== undefined) throw errors.unheldRight(`${owning.scope}:owner`)
}

/** Throws `UNHELD_RIGHT` (403) if such a key could use models, be used from addresses, or at a time, that the caller's key can't. */
function mustHaveLimits(
  { attributes }: Principal,
  { limits, expiresAt }: Pick<KeyChange, 'limits' | 'expiresAt'>,
): void {
  const what = beyond(limits, attributes.limits)
  if (what !== undefined) throw errors.unheldRight(`${what} beyond those of this key`)
  const end = attributes.expiresAt
  if (end !== undefined && (expiresAt === undefined || expiresAt > end))
    throw errors.unheldRight(`time after ${isoOfMicros(end * 1000)}, when this key expires`)
}

function limitsOf(asked: {
  expires_at?: string | null | undefined
  models?: string[] | null | undefined
  addresses?: string[] | null | undefined
}): { limits: KeyLimits; expiresAt: number | undefined } {
  const { models, addresses } = asked
  return {
    limits: { ...(models && { models }), ...(addresses && { addresses }) },
    expiresAt: timeOf(asked.expires_at),
  }
}

/** What a key is to be: what is asked for, and else what it is. @throws `BAD_NAME` (400) */
function changeOf(
  found: KeyRow,
  asked: {
    label?: string | undefined
    grants?: Parameters<typeof grantsOf>[0] | undefined
    trace_project?: string | null | undefined
    expires_at?: string | null | undefined
    models?: string[] | null | undefined
    addresses?: string[] | null | undefined
  },
): KeyChange {
  const models = asked.models === undefined ? found.limits.models : asked.models
  const addresses = asked.addresses === undefined ? found.limits.addresses : asked.addresses
  return {
    label: asked.label ?? found.label,
    grants: asked.grants === undefined ? found.grants : grantsOf(asked.grants),
    traceProject: asked.trace_project === undefined ? found.traceProject : (asked.trace_project ?? ''),
    expiresAt: asked.expires_at === undefined ? found.expiresAt : timeOf(asked.expires_at),
    limits: { ...(models && { models }), ...(addresses && { addresses }) },
  }
}

const timeOf = (iso: string | null | undefined): number | undefined =>
  iso === null || iso === undefined ? undefined : Date.parse(iso)

/** What the audit log says of where a key's rights are. */
function inEntity(grants: KeyRow['grants']): { entity?: string } {
  const entity = entityOf(grants)
  return entity === undefined ? {} : { entity }
}

/** Whether a key is live and all its rights lie in what `principal` administers. */
function isIn(principal: Principal, row: KeyRow): boolean {
  if (!isLive(row)) return false
  // A key without rights of its own is in no entity.
  if (row.grants.length === 0) return principal.may('admin', '*')
  return row.grants.every(({ scope }) => principal.may('admin', scope))
}

function shown(principal: Principal, row: KeyRow) {
  const { keyId, userId, username, label, grants, traceProject, createdAt, expiresAt, limits } = row
  return {
    key_id: keyId,
    user_id: userId,
    username,
    label,
    grants,
    trace_project: traceProject === '' ? null : traceProject,
    created_at: createdAt,
    expires_at: expiresAt === undefined ? null : isoOfMicros(expiresAt * 1000),
    models: limits.models ?? null,
    addresses: limits.addresses ?? null,
    is_personal: row.followsUser,
    replaces: row.replaces === '' ? null : row.replaces,
    is_current: keyId === principal.keyId,
  }
}

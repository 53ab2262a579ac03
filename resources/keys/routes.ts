/** The routes that manage API keys and list secrets, bound. Each caller sees and gives what it administers. */
import * as declared from '../../contract/keys.js'
import { createKey, problemOf } from '../../domain/auth/create-key.js'
import { entityOf, isScope } from '../../domain/auth/grants.js'
import { type KeyRow, listKeys, revokeKey } from '../../domain/auth/key-table.js'
import { Secrets } from '../../domain/secrets/secrets.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'

export function keyRoutes(store: Store): Bound[] {
  const secrets = new Secrets(store, undefined)
  return [
    serve(declared.listKeys, async ({ principal }) => ({
      keys: (await listKeys(store)).filter((row) => isIn(principal, row)).map((row) => shown(principal, row)),
    })),
    serve(declared.createKey, async ({ body, principal, note }) => {
      for (const { scope } of body.grants) {
        if (!isScope(scope))
          throw errors.badName(`"${scope}" is not a scope: use *, an entity, or entity/project.`)
        principal.must('admin', scope)
      }
      const { username, label, grants, trace_project } = body
      const asked = { user: username ?? principal.username, label, grants, traceProject: trace_project ?? '' }
      const problem = problemOf(asked)
      if (problem !== undefined) throw errors.badRequest(`${problem}.`)
      const { key, keyId } = await createKey(store, asked)
      note?.({ target: { key_id: keyId }, ...inEntity(grants) })
      const answer = JSON.stringify({ key, key_id: keyId })
      return new Reply(200, 'application/json', answer, { 'cache-control': 'no-store' })
    }),
    serve(declared.revokeKey, async ({ params, principal, note }) => {
      const found = (await listKeys(store)).find(({ keyId }) => keyId === params.key_id)
      if (found === undefined || !isIn(principal, found) || !(await revokeKey(store, found.keyId)))
        throw errors.notFound(`The key ${params.key_id}`)
      note?.({ target: { username: found.username }, ...inEntity(found.grants) })
      return {}
    }),
    serve(declared.listSecrets, async ({ principal }) => ({
      secrets: (await secrets.list()).filter(({ scope }) => principal.may('admin', scope)),
    })),
  ]
}

/** What the audit log says of where a key's rights are. */
function inEntity(grants: KeyRow['grants']): { entity?: string } {
  const entity = entityOf(grants)
  return entity === undefined ? {} : { entity }
}

/** Whether a key is live and all its rights lie in what `principal` administers. */
function isIn(principal: Principal, { grants, revokedAt }: KeyRow): boolean {
  if (revokedAt !== undefined) return false
  // A key without rights is in no entity.
  if (grants.length === 0) return principal.may('admin', '*')
  return grants.every(({ scope }) => principal.may('admin', scope))
}

function shown(
  principal: Principal,
  { keyId, userId, username, label, grants, traceProject, createdAt }: KeyRow,
) {
  return {
    key_id: keyId,
    user_id: userId,
    username,
    label,
    grants,
    trace_project: traceProject === '' ? null : traceProject,
    created_at: createdAt,
    is_current: keyId === principal.keyId,
  }
}

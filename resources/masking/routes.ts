/** The routes of masking, bound: rules of scopes, what they would do, and what they have done. */
import { randomBytes } from 'node:crypto'
import * as declared from '../../contract/masking.js'
import { mustAdminister } from '../../domain/auth/grants.js'
import { operatorRules } from '../../domain/masking/defaults.js'
import type { Masks } from '../../domain/masking/masks.js'
import { ruleProblem } from '../../domain/masking/rule-set.js'
import { countsOf, type SavedRules, savedRules, saveRules } from '../../domain/masking/table.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Parts } from '../parts.js'
import { previewed } from './preview.js'

const SALT_BYTES = 32

export function maskingRoutes({ store, leases, limits, arrival }: Parts, masks: Masks): Bound[] {
  /** Reads what a scope has, changes it, and has it hold in this process at once. */
  const change = (
    scope: string,
    rules: readonly declared.MaskRule[],
    expected: string | null | undefined,
    userId: string,
  ) =>
    leases.hold(`masking ${scope}`, async () => {
      const [saved] = await savedRules(store, [scope])
      const version = saved === undefined || saved.isDeleted ? null : saved.version
      if (expected !== undefined && expected !== version)
        throw errors.conflict(
          'Somebody else has saved these rules since; read them again, and save yours then.',
        )
      const salt = saved?.salt ?? randomBytes(SALT_BYTES).toString('base64url')
      const made = await saveRules(store, { scope, rules, salt, userId })
      await masks.refresh()
      return made
    })

  return [
    serve(declared.maskingQuery, async ({ body: { scope }, principal }) => {
      mustAdminister(principal, scope)
      const [entity = ''] = scope.split('/')
      const others = scope === '*' ? [] : [...(scope.includes('/') ? [entity] : []), '*']
      const found = await savedRules(store, [scope, ...others])
      const shown = (one: string) => setOf(one, found)
      const operator = operatorRules(arrival.sensitiveData).map(({ rules }) => ({
        ...{ scope: '*', rules, version: null, changed_at: null },
      }))
      return {
        own: shown(scope),
        wider: [...others.map(shown).filter(({ rules }) => rules.length > 0), ...operator],
      }
    }),
    serve(declared.maskingSave, async ({ body, principal }) => {
      const { scope, rules, expected_version: expected } = body
      mustAdminister(principal, scope)
      checkRules(rules)
      return { version: await change(scope, rules, expected, principal.userId) }
    }),
    serve(declared.maskingDelete, async ({ body: { scope }, principal }) => {
      mustAdminister(principal, scope)
      await change(scope, [], undefined, principal.userId)
      return {}
    }),
    serve(declared.maskingPreview, async ({ body, principal, signal }) => {
      principal.must('admin', body.project_id)
      if (body.rules) checkRules(body.rules)
      return previewed(store, masks, body, { signal, limits })
    }),
    serve(declared.maskingCounts, async ({ body: { scope, days }, principal, signal }) => {
      mustAdminister(principal, scope)
      await masks.flush()
      return { counts: await countsOf(store, days, projectsOf(scope), { signal, limits }) }
    }),
  ]
}

/** @throws `BAD_REQUEST` (400) that names the first rule that can't be used */
function checkRules(rules: readonly declared.MaskRule[]): void {
  for (const rule of rules) {
    const problem = ruleProblem(rule)
    if (problem !== undefined) throw errors.badRequest(`The rule "${rule.name}" can't be used: ${problem}.`)
  }
}

function setOf(scope: string, found: readonly SavedRules[]) {
  const saved = found.find((one) => one.scope === scope && !one.isDeleted)
  if (saved === undefined) return { scope, rules: [], version: null, changed_at: null }
  const { rules, version, changedAt: changed_at } = saved
  return { scope, rules, version, changed_at }
}

/** Ids of the projects of a scope; undefined: all. */
function projectsOf(scope: string): Sql | undefined {
  if (scope === '*') return undefined
  if (scope.includes('/')) return sql`${bind.string(projectIdOf(scope))}`
  return sql`SELECT project_id FROM projects WHERE startsWith(name, ${bind.string(`${scope}/`)})`
}

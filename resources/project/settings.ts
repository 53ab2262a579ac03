/** The settings of a project, bound: its own retention, whether it keeps tokens, and what the operator set for spans as they arrive. */
import {
  samplingRead,
  sensitiveDataGet,
  sensitiveDataRead,
  tokenIdsRead,
  tokenIdsUpdate,
  ttlRead,
  ttlUpdate,
} from '../../contract/project-settings.js'
import { readPolicies, setOwnPolicy } from '../../domain/retention/policies.js'
import { daysFor, MOST_DAYS, mostDays } from '../../domain/retention/policy.js'
import { keepsTokens, setKeepsTokens } from '../../domain/token-ids/setting.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'

export function settingsRoutes({ store, register, arrival }: Parts): Bound[] {
  return [
    serve(ttlRead, async ({ body }) => {
      const { policies } = await readPolicies(store)
      return { retention_days: daysFor(policies, body.project_id) || null }
    }),
    serve(ttlUpdate, async ({ body: { project_id: project, retention_days: days } }) => {
      const { policies } = await readPolicies(store)
      const most = mostDays(policies, project)
      checkDays(days, most, project)
      await register.note([project])
      await setOwnPolicy(store, project, days ?? undefined)
      return { retention_days: days ?? (most || null) }
    }),
    serve(tokenIdsRead, async ({ body }) => ({ keep: await keepsTokens(store, body.project_id) })),
    serve(tokenIdsUpdate, async ({ body: { project_id: project, keep } }) => {
      await register.note([project])
      await setKeepsTokens(store, project, keep)
      return { keep }
    }),
    serve(sensitiveDataRead, () => ({ policy: arrival.sensitiveData })),
    serve(sensitiveDataGet, () => ({ policy: arrival.sensitiveData })),
    serve(samplingRead, () => ({ sample_rate: arrival.sampleRate, dry_run: false })),
  ]
}

/** A project may keep its calls shorter than the operator keeps those of all, not longer. */
function checkDays(days: number | null, most: number, project: string): void {
  if (days === null) return
  if (days < 1 || days > MOST_DAYS)
    throw errors.badRequest(`retention_days must be null, or from 1 to ${MOST_DAYS}.`)
  if (most > 0 && days > most)
    throw errors.badRequest(
      `The operator keeps calls for ${most} days; set at most that, or ask for \`heddle retention set ${project}\`.`,
    )
}

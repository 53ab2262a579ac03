import * as contract from '../../contract/rules.js'
import { RuleDefinition } from '../../contract/rules.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros, today } from '../../platform/time/iso.js'
import type { EvaluationParts } from '../evaluation/parts.js'
import type { Channels } from '../notifications/channels.js'
import { deleteVersions } from '../objects/delete.js'
import { publishRule } from './create.js'
import type { KnownRule, KnownRules } from './known.js'
import { previewRule } from './preview.js'
import { progressOf } from './progress.js'
import { RULE_CLASS } from './rule.js'
import { type ActionRun, failedRuns, keepRuns, lastMatches, runsOf } from './runs.js'

const DAY_US = 86_400e6
const MOST = 1000

interface RuleParts {
  parts: EvaluationParts
  rules: KnownRules
  channels: Channels
  /** why nobody applies rules now; undefined: somebody does */
  whyNobody: () => Promise<string | undefined>
}

export function ruleRoutes({ parts, rules, channels, whyNobody }: RuleParts): Bound[] {
  const { store, leases } = parts
  const named = async (projectId: string, name: string): Promise<KnownRule> => {
    const found = (await rules.read(projectId)).find((one) => one.name === name)
    if (!found) throw errors.notFound(`Rule ${name}`)
    return found
  }
  /** One at a time, so that no two rules make a circle that neither makes alone. */
  const publishing = <T>(projectId: string, work: (known: KnownRule[]) => Promise<T>): Promise<T> =>
    leases.hold(`rules/${projectId}`, async () => work(await rules.read(projectId)))

  return [
    serve(contract.ruleSave, ({ body, principal }) => {
      const { project_id: project, name, ...rest } = body
      const projectId = projectIdOf(project)
      const definition = RuleDefinition.parse(rest)
      return publishing(projectId, async (known) => {
        if (known.length >= MOST && known.every((one) => one.name !== name))
          throw errors.badRequest(`A project may have ${MOST} rules; delete one first.`)
        const channelNames = (await channels.list(projectId)).map((channel) => channel.name)
        return {
          ref: await publishRule(parts, { project, principal }, name, definition, known, channelNames),
        }
      })
    }),
    serve(contract.ruleActivate, ({ body, principal }) => {
      const { project_id: project, rule: name, active } = body
      const projectId = projectIdOf(project)
      return publishing(projectId, async (known) => {
        const found = known.find((one) => one.name === name)
        if (!found) throw errors.notFound(`Rule ${name}`)
        const { definition, problem } = found
        if (definition === undefined) throw errors.badRequest(problem)
        // A channel that was deleted since keeps nobody from stopping the rule.
        const channelNames = active
          ? (await channels.list(projectId)).map((channel) => channel.name)
          : definition.actions.flatMap((action) => (action.type === 'notify' ? [action.channel] : []))
        const changed = { ...definition, active }
        return { ref: await publishRule(parts, { project, principal }, name, changed, known, channelNames) }
      })
    }),
    serve(contract.ruleDelete, async ({ body }) => {
      const project = projectIdOf(body.project_id)
      const { object_id: object } = (await named(project, body.rule)).row
      const isMeant = ({ base_class }: { base_class: string }) => base_class === RULE_CLASS
      await deleteVersions(parts, { project, object, names: [], isMeant })
      return { name: body.rule }
    }),
    serve(contract.rulesQuery, async ({ body }) => {
      const projectId = projectIdOf(body.project_id)
      const [all, progress, last, why] = await Promise.all([
        rules.read(projectId),
        progressOf(store, projectId),
        lastMatches(store, projectId),
        whyNobody(),
      ])
      const nobody = why && `This server applies no rules now: ${why}.`
      return {
        rules: all.map(({ name, ref, definition, problem }) => {
          const known = progress.find((one) => one.rule === name)
          const isToday = known?.day === today()
          const at = last.get(name)
          return {
            ...{ name, ref, definition: definition ?? null, matched: known?.matched ?? 0 },
            matched_today: isToday ? known.today + known.skipped : 0,
            skipped_today: isToday ? known.skipped : 0,
            last_run_at: at === undefined ? null : isoOfMicros(at),
            problem: nobody || problem || null,
          }
        }),
      }
    }),
    serve(contract.rulePreview, async ({ body, principal, signal }) => {
      const { project_id: project, name, trigger, days } = body
      const since = nowMicros() - Math.round(days * DAY_US)
      const asked = { project, projectId: projectIdOf(project), name, trigger, since }
      const { matched, newest } = await previewRule(parts, asked, { caller: principal.caller, signal })
      return { matched, newest: newest.map(({ at, subject }) => ({ at: isoOfMicros(at), subject })) }
    }),
    serve(contract.ruleRuns, async ({ body }) => {
      const { project_id: project, rule, state, limit } = body
      const asked = {
        projectId: projectIdOf(project),
        rule: rule ?? undefined,
        state: state ?? undefined,
        limit,
      }
      return { runs: (await runsOf(store, asked)).map(shown) }
    }),
    serve(contract.ruleRetry, async ({ body }) => {
      const projectId = projectIdOf(body.project_id)
      const { name: rule } = await named(projectId, body.rule)
      const failed = await failedRuns(store, projectId, rule, body.run ?? undefined)
      if (body.run !== null && failed.length === 0)
        throw errors.notFound(`A failed action of the run ${body.run} of ${rule}`)
      await keepRuns(store, failed.map(again))
      return { retried: failed.length }
    }),
  ]
}

const again = (run: ActionRun): ActionRun => ({
  ...run,
  state: 'waiting',
  attempts: 0,
  nextAt: 0,
  problem: '',
})

function shown(actions: readonly ActionRun[]) {
  const [{ matchId, rule, ref, matchedAt, subject }] = actions as [ActionRun]
  return {
    ...{ id: matchId, rule, rule_ref: ref, at: isoOfMicros(matchedAt), subject },
    actions: actions.map(({ action, state, attempts, nextAt, result, problem }) => ({
      ...{ type: action.type, state, attempts, next_at: nextAt === 0 ? null : isoOfMicros(nextAt) },
      ...{ result: result || null, problem: problem || null },
    })),
  }
}

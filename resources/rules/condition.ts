/** Which calls a trigger means, as a condition. Pure. */
import type { Query } from '../../contract/query-expr.js'
import type { RuleTrigger } from '../../contract/rules.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { IS_RUN, RUN } from '../../domain/evaluation/ops-sql.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { refOf } from '../evaluation/publish.js'
import { matches, TURN_ENDED } from '../monitoring/monitor.js'

/**
 * @param name of the rule, from which its sample follows
 * @param project `entity/project`
 * @returns undefined: the trigger is not about calls
 * @throws `INVALID_RULE` (400) for a query that needs more than the call itself
 */
export function conditionOf(trigger: RuleTrigger, name: string, project: string): Sql | undefined {
  const that = (ops: readonly string[], query: Query | null = null, rate = 1) =>
    matches({ ops, query: query ?? undefined, rate }, name, project, errors.invalidRule)
  switch (trigger.type) {
    case 'call':
      return sql`${that(trigger.op_names ?? [], trigger.query, trigger.sampling_rate)} AND ${notOfEvaluations(project)}`
    case 'turn':
      return sql`${that([TURN_ENDED], trigger.query, trigger.sampling_rate)} AND ${notOfEvaluations(project)}`
    case 'evaluation': {
      const ended = sql`ended_at != ${EPOCH} AND ${IS_RUN}`
      return trigger.evaluation === null ? ended : sql`${ended} AND ${isOf(trigger.evaluation, project)}`
    }
    default:
      return undefined
  }
}

/**
 * True for calls that no evaluation of this service made: a rule that starts evaluations would set itself off. Jobs are
 * kept for a week, and no call is looked at that long after it was stored.
 */
const notOfEvaluations = (project: string): Sql =>
  sql`trace_id NOT IN (SELECT id FROM evaluation_jobs WHERE project_id = ${bind.string(projectIdOf(project))})`

/** True for runs of an evaluation, whatever its version. */
function isOf(evaluation: string, project: string): Sql {
  const ref = refOf(project, 'object', evaluation, '')
  return sql`startsWith(${RUN.evaluation}, ${bind.string(ref)})`
}

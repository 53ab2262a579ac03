/** Finds the progress of any evaluation from its root call and the calls below it. */

import { refIn } from '../../../contract/ref.js'
import { isRun } from '../../../domain/evaluation/ops-sql.js'
import { bind, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Principal } from '../../../platform/http/principal.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { JsonNumber } from '../../../platform/json/tree.js'
import { type Fields, wireFields } from '../../objects/values.js'
import { keyOf } from '../../objects/versions.js'
import type { Parts } from '../../parts.js'
import { subjectOf } from '../call-row.js'
import type { EvaluationParts, Requester } from '../parts.js'
import { trialRows } from '../results/trials.js'

/** JSON text of a status. @throws 400 for a call that is not an evaluation */
export async function statusOf(
  parts: EvaluationParts,
  { project, principal }: Requester,
  id: string,
): Promise<string> {
  const call = await parts.calls.read(projectIdOf(project), id)
  if (!call) return '{"code":"not_found"}'
  if (!isRun(call))
    throw errors.badRequest(`The call ${id} is not an evaluation; send the id of the root call of a run.`)
  if (call.exception !== '') return JSON.stringify({ code: 'failed', error: call.exception })
  if (call.ended !== 0)
    return `{"code":"complete","output":${call.output.startsWith('{') ? call.output : '{}'}}`
  const [{ rows, trials }, done] = await Promise.all([
    sizeOf(parts, principal, subjectOf(call)),
    finishedTrials(parts.store, project, id),
  ])
  const completed = Math.min(rows, Math.floor(done / trials))
  return JSON.stringify({ code: 'running', completed_rows: completed, total_rows: rows })
}

async function finishedTrials(store: Store, project: string, id: string): Promise<number> {
  const runs = { projectId: projectIdOf(project), ids: [id] }
  const trials = sql`(${trialRows(runs, sql`id, ended_at`)})
      WHERE ended_at != toDateTime64(0, 6, 'UTC') LIMIT ${bind.uint(1)}`
  return (await store.value<number>(sql`SELECT uniqExact(id) FROM ${trials}`)) ?? 0
}

/** The number of rows of an evaluation's dataset, and of trials per row; undefined if the caller can't read it. */
async function sizeOf(
  parts: Parts,
  principal: Principal,
  evaluation: string,
): Promise<{ rows: number; trials: number }> {
  const value = await valueAt(parts, principal, evaluation)
  const trials = value?.get('trials')
  const dataset = await valueAt(parts, principal, textIn(value, 'dataset'))
  const table = refIn(textIn(dataset, 'rows'))
  const size =
    table?.kind === 'table' && principal.may('read', table.project)
      ? await parts.tableReader.size({ project: projectIdOf(table.project), digest: table.digest })
      : undefined
  return {
    rows: size?.count ?? 0,
    trials: Math.max(1, trials instanceof JsonNumber ? Number(trials.text) : 1),
  }
}

async function valueAt(parts: Parts, principal: Principal, ref: string): Promise<Fields | undefined> {
  const target = refIn(ref)
  if (target?.kind !== 'object' || !principal.may('read', target.project)) return undefined
  const version = await parts.finder.find(projectIdOf(target.project), target.name, target.digest)
  return version && (await wireFields(parts, [keyOf(version)]))[0]
}

function textIn(value: Fields | undefined, key: string): string {
  const text = value?.get(key)
  return typeof text === 'string' ? text : ''
}

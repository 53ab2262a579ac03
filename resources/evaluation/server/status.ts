/** How far an evaluation is, whoever runs it: told by its root call and the calls below it. */

import { parseRef, RefError } from '../../../contract/ref.js'
import type { ProjectRegister } from '../../../domain/projects/register.js'
import { bind, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Principal } from '../../../platform/http/principal.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { JsonNumber, type JsonTree, storedTree } from '../../../platform/json/tree.js'
import { wireTexts } from '../../objects/external-refs.js'
import type { VersionFinder } from '../../objects/find.js'
import type { ObjectReader } from '../../objects/reader.js'
import { type CallRows, textAt } from '../call-row.js'
import { shortName } from '../names.js'
import { trialRows } from '../results/trials.js'
import type { Asker } from './model-plan.js'

export interface StatusParts {
  store: Store
  calls: CallRows
  finder: VersionFinder
  reader: ObjectReader
  register: ProjectRegister
}

/** JSON text of a status. @throws 400 for a call that is no evaluation */
export async function statusOf(
  parts: StatusParts,
  { project, principal }: Asker,
  id: string,
): Promise<string> {
  const call = await parts.calls.read(projectIdOf(project), id)
  if (!call) return '{"code":"not_found"}'
  if (shortName(call.op_name) !== 'Evaluation.evaluate')
    throw errors.badRequest(`The call ${id} is not an evaluation; send the id of the root call of a run.`)
  if (call.exception !== '') return JSON.stringify({ code: 'failed', error: call.exception })
  if (call.ended !== 0)
    return `{"code":"complete","output":${call.output.startsWith('{') ? call.output : '{}'}}`
  const [{ rows, trials }, done] = await Promise.all([
    sizeOf(parts, principal, textAt(call.inputs, ['self']) || textAt(call.inputs, ['this'])),
    finishedTrials(parts.store, project, id),
  ])
  const completed = Math.min(rows, Math.floor(done / trials))
  return JSON.stringify({ code: 'running', completed_rows: completed, total_rows: rows })
}

async function finishedTrials(store: Store, project: string, id: string): Promise<number> {
  const runs = { projectId: projectIdOf(project), ids: [id] }
  const row = await store.row<{ done: number }>(
    sql`SELECT uniqExact(id) AS done FROM (${trialRows(runs, sql`id, ended_at`)})
      WHERE ended_at != toDateTime64(0, 6, 'UTC') LIMIT ${bind.uint(1)}`,
  )
  return row?.done ?? 0
}

/** How many rows the dataset of an evaluation has, and how often each is tried; none where whoever asks can't read that. */
async function sizeOf(
  parts: StatusParts,
  principal: Principal,
  evaluation: string,
): Promise<{ rows: number; trials: number }> {
  const value = await valueAt(parts, principal, evaluation)
  const trials = value?.get('trials')
  const dataset = await valueAt(parts, principal, textIn(value, 'dataset'))
  const table = refIn(textIn(dataset, 'rows'))
  const size =
    table?.kind === 'table' && principal.may('read', table.project)
      ? await parts.store.row<{ count: number }>(
          sql`SELECT rows AS count FROM tables FINAL
            WHERE project_id = ${bind.string(projectIdOf(table.project))} AND digest = ${bind.string(table.digest)}`,
        )
      : undefined
  return {
    rows: size?.count ?? 0,
    trials: Math.max(1, trials instanceof JsonNumber ? Number(trials.text) : 1),
  }
}

async function valueAt(
  { finder, reader, register }: StatusParts,
  principal: Principal,
  ref: string,
): Promise<Map<string, JsonTree> | undefined> {
  const target = refIn(ref)
  if (target?.kind !== 'object' || !principal.may('read', target.project)) return undefined
  const project = projectIdOf(target.project)
  const version = await finder.find(project, target.name, target.digest)
  const text = version && (await reader.value({ project, object: target.name, digest: version.digest }))
  if (text === undefined) return undefined
  const [wire] = await wireTexts(register, [text])
  const tree = storedTree(wire!)
  return tree instanceof Map ? tree : undefined
}

function textIn(value: Map<string, JsonTree> | undefined, key: string): string {
  const text = value?.get(key)
  return typeof text === 'string' ? text : ''
}

function refIn(text: string) {
  try {
    return text === '' ? undefined : parseRef(text)
  } catch (error) {
    if (error instanceof RefError) return undefined
    throw error
  }
}

/** Reads what the items of experiments became: their spans, and scores of them. */
import { OTEL_SPAN } from '../../../domain/calls/otel-span.js'
import { newestOf, rowsOfBoth } from '../../../domain/calls/read/visible.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'

/** A call of one of Langfuse's SDKs. JSON texts; '' for nothing. */
export interface SaidCall {
  id: string
  trace: string
  /** '': the root of its trace */
  parent: string
  /** µs since the epoch; 0: it has not ended */
  started: number
  ended: number
  exception: string
  input: string
  output: string
  /** what it says of an experiment */
  experiment: string
}

export interface SaidScore {
  /** id of the call; '': none */
  call: string
  /** id of the experiment; '': none */
  experiment: string
  name: string
  /** JSON text */
  value: string
}

/** The calls around an item and its answer in all versions of the SDKs. */
const IS_ITEM = sql`match(op_name, ${bind.string('(?:^|/op/)experiment-item-(?:run|task)(?::[^/:]*)?$')})`

const at = (...path: string[]) =>
  path.reduce((keys, key) => sql`${keys}, ${bind.string(key)}`, sql`span, 'attributes', 'langfuse'`)
/** Characters of a value; of a longer one the trace alone tells. */
const LONGEST = 256 << 10
const raw = (...path: string[]) => {
  const text = sql`JSONExtractRaw(${at(...path)})`
  return sql`if(length(${text}) > ${bind.uint(LONGEST)}, '', ${text})`
}
const firstRaw = (...texts: Sql[]) =>
  texts.reduceRight((rest, text) => sql`if(${text} != '', ${text}, ${rest})`)

const READ = sql`SELECT id, trace_id AS trace, parent_id AS parent, toUnixTimestamp64Micro(started_at) AS started,
  toUnixTimestamp64Micro(ended_at) AS ended, exception,
  ${firstRaw(raw('observation', 'input'), raw('trace', 'input'))} AS input,
  ${firstRaw(raw('observation', 'output'), raw('trace', 'output'))} AS output, ${raw('experiment')} AS experiment`
const COLUMNS = sql`id, trace_id, parent_id, started_at, ended_at, exception, ver, ${OTEL_SPAN} AS span`

/** A page of the calls that hold the items of experiments, the oldest first. */
export async function itemCallsSince(
  store: Store,
  project: string,
  since: number,
  after: { started: number; id: string } | undefined,
  most: number,
): Promise<SaidCall[]> {
  const start = sql`started_at >= fromUnixTimestamp64Micro(${bind.time(since)}, 'UTC')`
  const next = after
    ? [sql`(toUnixTimestamp64Micro(started_at), id) > (${bind.int(after.started)}, ${bind.string(after.id)})`]
    : []
  // Most projects have none, and the engine plans this in a quarter of the time.
  const any = sql`SELECT 1 FROM (${rowsOfBoth(sql`1`, project, [IS_ITEM, start])}) LIMIT 1`
  if (!after && !(await store.row(any))) return []
  const rows = rowsOfBoth(COLUMNS, project, [IS_ITEM, start, ...next])
  return store.rows<SaidCall>(sql`${READ} FROM (${newestOf(sql`*`, rows)})
    WHERE JSONExtractString(${at('experiment', 'item', 'root_observation_id')}) = id
      AND JSONExtractString(experiment, 'name') != ''
    ORDER BY started, id LIMIT ${bind.uint(most)}`)
}

/** The calls with these ids, and the roots of these traces. */
export async function callsOfItems(
  store: Store,
  project: string,
  ids: readonly string[],
  traces: readonly string[],
): Promise<SaidCall[]> {
  if (ids.length + traces.length === 0) return []
  const here = sql`(id IN ${bind.strings(ids)} OR (trace_id IN ${bind.strings(traces)} AND parent_id = ''))`
  return store.rows<SaidCall>(sql`${READ} FROM (
    ${newestOf(sql`*`, rowsOfBoth(COLUMNS, project, [here]))}) ORDER BY started, id`)
}

/** The scores of these calls and experiments; of one name the last counts. */
export async function scoresOf(
  store: Store,
  project: string,
  calls: readonly string[],
  experiments: readonly string[],
): Promise<SaidScore[]> {
  if (calls.length + experiments.length === 0) return []
  const experiment = sql`JSONExtractString(payload, 'datasetRunId')`
  return store.rows<SaidScore>(sql`SELECT call_id AS call, ${experiment} AS experiment,
      substring(feedback_type, length('langfuse.') + 1) AS name, if(JSONHas(payload, 'value'), JSONExtractRaw(payload, 'value'), 'null') AS value
    FROM feedback FINAL
    WHERE project_id = ${bind.string(project)} AND startsWith(canonical_type, 'langfuse.') AND deleted = 0
      AND (call_id IN ${bind.strings(calls)} OR ${experiment} IN ${bind.strings(experiments)})
    ORDER BY name, ver, id`)
}

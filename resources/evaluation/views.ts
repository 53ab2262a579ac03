/**
 * Statements that show calls as runs, predictions and scores, one line of JSON each. They recognize an SDK's calls by
 * op name and place in the trace, and these routes' calls by attributes. Pure.
 */

import { bothTables, everyRow, newestOf, visibleRows } from '../../domain/calls/read/visible.js'
import { EPOCH } from '../../domain/calls/unset.js'
import {
  firstOf,
  IS_PREDICT,
  IS_RUN,
  IS_SCORE,
  IS_TRIAL,
  mark,
  marked,
  OP_SHORT,
  RUN,
  SELF,
} from '../../domain/evaluation/ops-sql.js'
import { isoText } from '../../domain/expr/iso.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

export interface ListPage {
  limit: number | null
  offset: number | null
}

const COLUMNS = sql`id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver`
const json = (text: Sql) => sql`toJSONString(${text})`
const jsonOrNull = (text: Sql) => sql`if(${text} = '', 'null', toJSONString(${text}))`
const USER = sql`${jsonOrNull(sql`user_id`)}, ',"wb_user_id":', ${jsonOrNull(sql`user_id`)}`

/** JSON text of a run: its inputs and its state. */
const RUN_LINE = sql`concat('{"evaluation_run_id":', ${json(sql`id`)},
  ',"evaluation":', ${json(RUN.evaluation)},
  ',"model":', ${json(RUN.model)},
  ',"status":"', ${RUN.status}, '"',
  ',"started_at":"', ${isoText(sql`started_at`)}, '"',
  ',"finished_at":', if(ended_at = ${EPOCH}, 'null', concat('"', ${isoText(sql`ended_at`)}, '"')),
  ',"summary":', if(ended_at = ${EPOCH}, 'null', if(summary = '', '{}', summary)),
  ',"source_evaluation_run_id":', ${jsonOrNull(mark('source_evaluation_run_id'))}, '}')`

/** The model or scorer of a call; for a function it is the op itself. */
const SUBJECT = firstOf(SELF, sql`toString(op_name)`)

/**
 * A prediction's inputs: these routes wrap them, the SDKs pass them as arguments beside `self`. They are cut out of the
 * text if it begins as it usually does, since a JSON function would rewrite numbers, or fail to read the text.
 */
const BEGINNING = sql`extract(inputs, ${bind.string('^\\{"self":"(?:[^"\\\\]|\\\\.)*",')})`
const WRAPPED = sql`concat(${BEGINNING}, '"inputs":')`
const INPUTS = sql`multiIf(
  ${mark('prediction')} = 'true' AND ${BEGINNING} != '' AND startsWith(inputs, ${WRAPPED}),
    substring(inputs, length(${WRAPPED}) + 1, length(inputs) - length(${WRAPPED}) - 1),
  ${BEGINNING} != '', concat('{', substring(inputs, length(${BEGINNING}) + 1)),
  NOT JSONHas(inputs, 'self') AND NOT JSONHas(inputs, 'this'), if(inputs = '', '{}', inputs),
  concat('{', arrayStringConcat(arrayMap(
    kv -> concat(toJSONString(kv.1), ':', kv.2),
    arrayFilter(kv -> kv.1 NOT IN ('self', 'this'), JSONExtractKeysAndValuesRaw(inputs))), ','), '}'))`

const predictionLine = (run: Sql) => sql`concat('{"prediction_id":', ${json(sql`id`)},
  ',"model":', ${json(firstOf(mark('model'), SUBJECT))},
  ',"inputs":', ${INPUTS},
  ',"output":', if(output = '', 'null', output),
  ',"evaluation_run_id":', ${jsonOrNull(run)}, ',"platform_user_id":', ${USER}, '}')`

const scoreLine = (run: Sql) => sql`concat('{"score_id":', ${json(sql`id`)},
  ',"scorer":', ${json(firstOf(mark('scorer'), SUBJECT))},
  ',"value":', if(output = '', 'null', output),
  ',"evaluation_run_id":', ${jsonOrNull(run)}, ',"platform_user_id":', ${USER}, '}')`

/** Runs that match all `conditions`. */
function runs(projectId: string, conditions: readonly Sql[], page: ListPage): Sql {
  return lines(RUN_LINE, visibleRows(COLUMNS, projectId, [IS_RUN, ...conditions]), page)
}

export interface RunFilter {
  evaluations: readonly string[]
  models: readonly string[]
  ids: readonly string[]
}

export function runList(projectId: string, filter: RunFilter, page: ListPage): Sql {
  const oneOf = (value: Sql, list: readonly string[]) =>
    list.length === 0 ? sql`` : sql`${value} IN ${bind.strings(list)}`
  const conditions = [
    oneOf(sql`id`, filter.ids),
    oneOf(firstOf(mark('evaluation'), SELF), filter.evaluations),
    oneOf(firstOf(mark('model'), sql`JSONExtractString(inputs, 'model')`), filter.models),
  ].filter((one) => !one.empty)
  return runs(projectId, conditions, page)
}

export function runRead(projectId: string, id: string): Sql {
  return runs(projectId, [sql`id = ${bind.string(id)}`], { limit: 1, offset: 0 })
}

/** Selects predictions or scores: those of one run, a single one, or all. */
export interface Wanted {
  run?: string | null | undefined
  id?: string
}

export function predictionList(projectId: string, wanted: Wanted, page: ListPage): Sql {
  return ofTrials(projectId, 'prediction', wanted, page)
}

export function scoreList(projectId: string, wanted: Wanted, page: ListPage): Sql {
  return ofTrials(projectId, 'score', wanted, page)
}

/**
 * Calls marked as predictions or scores, and children of trials that are such by place: scores have the name of a score
 * or of one of the trial's scores; the prediction is the model's call, or else the earliest of the rest.
 */
function ofTrials(projectId: string, what: 'prediction' | 'score', { run, id }: Wanted, page: ListPage): Sql {
  const ofRun = run ? [sql`parent_id = ${bind.string(run)}`] : []
  const theseIds = id === undefined ? [] : [sql`id = ${bind.string(id)}`]
  // For one call, only its own trial is read.
  const ofId =
    id === undefined
      ? []
      : [sql`id IN (${bothTables((table) => sql`SELECT parent_id ${everyRow(table, projectId, theseIds)}`)})`]
  const conditions = [IS_TRIAL, ...ofRun, ...ofId]
  // Ids of more rows than the visible ones, since finding those is most of what a statement costs to plan; the join leaves
  // out the rest.
  const parents = bothTables((table) => sql`SELECT id ${everyRow(table, projectId, conditions)}`)
  const facts = sql`id, parent_id AS run, ver, ended_at, JSONExtractString(inputs, 'model') AS trial_model,
      ${mark('predict_call_id')} AS predict_id, JSONExtractKeys(output, 'scores') AS score_names`
  const trials = newestOf(sql`* EXCEPT id, id AS trial`, visibleRows(facts, projectId, conditions))
  const isScore = sql`(${IS_SCORE} OR has(score_names, ${OP_SHORT}))`
  const children = visibleRows(COLUMNS, projectId, [sql`parent_id IN (${parents})`])
  const inTrials = sql`SELECT ${COLUMNS}, run, ${isScore} AS is_score,
      multiIf(id = predict_id, 0, op_name = trial_model, 1, ${IS_PREDICT}, 2, is_score, 9, 3) AS rank
    FROM (
    ${children}) AS child INNER JOIN (${trials}) AS trials ON child.parent_id = trials.trial`
  const chosen =
    what === 'score'
      ? sql`SELECT * FROM (${inTrials}) WHERE is_score`
      : sql`SELECT * FROM (${inTrials}) WHERE rank < 9 ORDER BY rank, started_at, id LIMIT 1 BY parent_id`
  const alone = visibleRows(COLUMNS, projectId, [
    marked(what, 'true'),
    ...theseIds,
    ...(run ? [marked('evaluation_run_id', run)] : []),
  ])
  const line = what === 'score' ? scoreLine(sql`of_run`) : predictionLine(sql`of_run`)
  const rows = sql`SELECT ${COLUMNS}, of_run FROM (SELECT ${COLUMNS}, run AS of_run FROM (${chosen}))
    ${id === undefined ? sql`` : sql`WHERE id = ${bind.string(id)}`}
    UNION ALL SELECT ${COLUMNS}, ${mark('evaluation_run_id')} AS of_run FROM (
    ${alone})`
  return lines(line, rows, page)
}

/** One line per call, oldest first; if a call briefly has two rows, the newest. */
function lines(line: Sql, rows: Sql, { limit, offset }: ListPage): Sql {
  const most = limit !== null && limit >= 0 ? bind.uint(limit) : bind.uint('9223372036854775807')
  const place = sql`started_at, id`
  const skip = sql`OFFSET ${bind.uint(Math.max(0, offset ?? 0))}`
  return sql`${newestOf(sql`${line} AS line`, rows, { order: place, by: place })} LIMIT ${most} ${skip}`
}

/** The scores below trials, oldest first: columns `trial`, `output` and `scorer`, a ref. */
export function scoresBelow(projectId: string, trialIds: readonly string[]): Sql {
  const conditions = [sql`parent_id IN ${bind.strings(trialIds)}`, marked('score', 'true')]
  const columns = sql`id, parent_id AS trial, started_at, output, ${mark('scorer')} AS scorer, ver, ended_at`
  const rows = visibleRows(columns, projectId, conditions)
  return newestOf(sql`trial, output, scorer`, rows, { order: sql`started_at, id` })
}

/** What rules did and are to do, as it is stored: a row for each action of each match. */
import type { RUN_STATES, RuleAction, RuleSubject } from '../../contract/rules.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { type ChangeMarks, WRITTEN } from '../../platform/clickhouse/change-marks.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

export type RunState = (typeof RUN_STATES)[number]

/** An action of a match. */
export interface ActionRun {
  projectId: string
  rule: string
  id: string
  matchId: string
  /** of the version of the rule */
  ref: string
  subject: RuleSubject
  /** µs since the epoch */
  matchedAt: number
  position: number
  action: RuleAction
  /** rules that led to it, the first one first */
  chain: readonly string[]
  state: RunState
  attempts: number
  /** µs since the epoch; 0: at once, or never again */
  nextAt: number
  result: string
  /** as in {@link Match.made} */
  made: string
  problem: string
}

/** An action with the time (µs) when this was written of it. */
export type WrittenRun = ActionRun & { ver: number }

type Row = Omit<ActionRun, 'subject' | 'action'> & { subject: string; action: string }

const COLUMNS = sql`project_id AS projectId, rule, id, match_id AS matchId, ref, subject, action, chain, state, position,
  attempts, result, made, problem, toUnixTimestamp64Micro(matched_at) AS matchedAt, toUnixTimestamp64Micro(next_at) AS nextAt`

/** @returns when (µs) */
export async function keepRuns(store: Store, runs: readonly ActionRun[]): Promise<number> {
  const ver = nextVersion()
  await store.insertRows(
    'rule_runs',
    runs.map(({ projectId, matchId, matchedAt, nextAt, subject, action, ...run }) => ({
      ...{ ...run, project_id: projectId, match_id: matchId, type: action.type },
      ...{ subject: JSON.stringify(subject), action: JSON.stringify(action) },
      ...{ matched_at: isoOfMicros(matchedAt), next_at: isoOfMicros(nextAt) },
      ver: String(ver),
    })),
  )
  return ver
}

/** Those of these matches of a rule that are there. @param projectId internal */
export async function knownMatches(
  store: Store,
  projectId: string,
  rule: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await store.rows<{ match_id: string }>(sql`SELECT DISTINCT match_id FROM rule_runs
    WHERE project_id = ${bind.string(projectId)} AND rule = ${bind.string(rule)} AND match_id IN ${bind.strings(ids)}`)
  return new Set(rows.map((row) => row.match_id))
}

/** The rules that led to what was made, that which made it last. @param projectId internal */
export async function chainsOf(
  store: Store,
  projectId: string,
  made: readonly string[],
): Promise<Map<string, string[]>> {
  if (made.length === 0) return new Map()
  const rows = await store.rows<{ made: string; rule: string; chain: string[] }>(sql`
    SELECT made, rule, chain FROM rule_runs FINAL
    WHERE project_id = ${bind.string(projectId)} AND made IN ${bind.strings(made)} ORDER BY ver DESC LIMIT 1 BY made`)
  return new Map(rows.map((row) => [row.made, [...row.chain, row.rule]]))
}

/** What waits and was written since, in the order of matches. @param since µs since the epoch */
export async function waitingSince(store: Store, since: number): Promise<WrittenRun[]> {
  const rows = await store.rows<Row & { ver: number }>(sql`SELECT ${COLUMNS}, ver FROM (
      SELECT * FROM rule_runs WHERE ver >= toUInt64(${bind.string(String(since))})
      ORDER BY ver DESC LIMIT 1 BY project_id, rule, id) AS newest
    WHERE newest.state = 'waiting' ORDER BY matched_at, id`)
  return rows.map(runOf)
}

/** Differs whenever an action was written since. @param since µs since the epoch */
export function runsMark(marks: ChangeMarks, since: number): Promise<string> {
  const from = sql`rule_runs WHERE ver >= toUInt64(${bind.string(String(since))})`
  return marks.of('rule runs', WRITTEN, from)
}

/** Which matches of a project are shown. */
export interface RunsAsked {
  projectId: string
  rule: string | undefined
  state: RunState | undefined
  limit: number
}

/** The newest matches, each with all its actions in order. */
export async function runsOf(
  store: Store,
  { projectId, rule, state, limit }: RunsAsked,
): Promise<ActionRun[][]> {
  const here = sql`project_id = ${bind.string(projectId)}${rule === undefined ? sql`` : sql` AND rule = ${bind.string(rule)}`}`
  const those = state === undefined ? sql`1` : sql`state = ${bind.string(state)}`
  const ids = sql`SELECT match_id FROM rule_runs FINAL WHERE ${here} AND ${those}
    GROUP BY match_id ORDER BY max(matched_at) DESC, match_id LIMIT ${bind.uint(limit)}`
  const runs = await rowsThat(store, sql`${here} AND match_id IN (${ids})`)
  return [...groupBy(runs, (run) => run.matchId).values()]
}

/** The failed actions of a rule. @param projectId internal @param matchId default: of all its matches */
export function failedRuns(
  store: Store,
  projectId: string,
  rule: string,
  matchId?: string,
): Promise<ActionRun[]> {
  const those = matchId === undefined ? sql`` : sql` AND match_id = ${bind.string(matchId)}`
  return rowsThat(
    store,
    sql`project_id = ${bind.string(projectId)} AND rule = ${bind.string(rule)} AND rule_runs.state = 'failed'${those}`,
  )
}

/** When each rule of a project last matched, µs since the epoch. @param projectId internal */
export async function lastMatches(store: Store, projectId: string): Promise<Map<string, number>> {
  const rows = await store.rows<{ rule: string; last: number }>(sql`
    SELECT rule, toUnixTimestamp64Micro(max(matched_at)) AS last FROM rule_runs
    WHERE project_id = ${bind.string(projectId)} GROUP BY rule`)
  return new Map(rows.map(({ rule, last }) => [rule, last]))
}

/** The newest match first. In older rows each action of a match has a time of its own. */
async function rowsThat(store: Store, where: Sql): Promise<ActionRun[]> {
  const rows = await store.rows<Row>(sql`SELECT ${COLUMNS} FROM rule_runs FINAL WHERE ${where}
    ORDER BY max(matched_at) OVER (PARTITION BY match_id) DESC, match_id, position`)
  return rows.map(runOf)
}

function runOf<Stored extends Row>({ subject, action, ...run }: Stored) {
  return { ...run, subject: JSON.parse(subject) as RuleSubject, action: JSON.parse(action) as RuleAction }
}

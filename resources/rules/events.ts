/** What happens in projects beside calls: scores, aliases, versions of datasets, ends of training jobs. */
import type { RuleOnScore, RuleSubject, RuleTrigger } from '../../contract/rules.js'
import { JOB_ENDS } from '../../contract/rules.js'
import { canonicalType } from '../../domain/feedback/kinds.js'
import { bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { jsonAt } from '../evaluation/call-row.js'
import { type Match, made } from './match.js'

/** The triggers that are not conditions on calls. */
export const EVENT_TYPES = ['score', 'alias', 'dataset_version', 'training_job'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** What happened. */
export interface RuleEvent extends Omit<Match, 'subject'> {
  projectId: string
  /** as a trigger sees it; undefined: the trigger does not mean it */
  subject: (trigger: RuleTrigger) => RuleSubject | undefined
}

/** Those of the events that a trigger means, as it sees them. */
export function meant(events: readonly RuleEvent[], trigger: RuleTrigger): Match[] {
  return events.flatMap(({ subject: of, ...one }) => {
    const subject = of(trigger)
    return subject === undefined ? [] : [{ ...one, subject }]
  })
}

/** Where to look: `since` is µs since the epoch. */
export interface Where {
  /** internal */
  projectIds: readonly string[]
  since: number
  limit: number
  /** of scores */
  feedbackTypes: readonly string[]
}

/** The oldest first. */
export function eventsSince(
  store: Store,
  what: EventType,
  where: Where,
  options: StatementOptions = {},
): Promise<RuleEvent[]> {
  return READERS[what](store, where, options)
}

/** All of them, the oldest first, some twice: read in pages of `where.limit`, or larger ones where more came at one time. */
export async function allEventsSince(store: Store, what: EventType, where: Where): Promise<RuleEvent[]> {
  const found: RuleEvent[] = []
  let { since, limit } = where
  for (;;) {
    const page = await eventsSince(store, what, { ...where, since, limit })
    found.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return found
    // Rows at the end of a page are found again with the next one.
    if (last.at === since) limit *= 2
    else [since, limit] = [last.at, where.limit]
  }
}

const here = ({ projectIds }: Where): Sql => sql`project_id IN ${bind.strings(projectIds)}`
const ver = ({ since }: Where): Sql => sql`toUInt64(${bind.string(String(Math.max(0, since)))})`
const time = ({ since }: Where): Sql => instant(Math.max(0, since))

/** µs after which a score that comes sets off no rule: whoever imports the past wants none to act. */
const LATE = 24 * 3_600_000_000

type Reader = (store: Store, where: Where, options: StatementOptions) => Promise<RuleEvent[]>

const READERS: Record<EventType, Reader> = {
  score: async (store, where, options) => {
    const types = [...new Set(where.feedbackTypes.map(canonicalType))]
    const rows = await store.rows<ScoreRow>(
      // A second row of the same feedback is the same match.
      sql`SELECT project_id, id, call_id, canonical_type, payload, trigger_ref,
        toString(toUnixTimestamp64Micro(stored_at)) AS at
      FROM feedback WHERE ${here(where)} AND stored_at >= ${time(where)} AND created_at >= ${time({ ...where, since: where.since - LATE })} AND call_id != '' AND deleted = 0
        AND canonical_type IN ${bind.strings(types)}
      ORDER BY stored_at, id LIMIT 1 BY project_id, id LIMIT ${bind.uint(where.limit)}`,
      options,
    )
    return rows.map((row) => ({
      ...{ projectId: row.project_id, at: Number(row.at), key: `score ${row.id}`, made: '' },
      subject: (trigger) => (trigger.type === 'score' ? scored(trigger, row) : undefined),
    }))
  },
  alias: async (store, where, options) => {
    const rows = await store.rows<AliasRow>(
      sql`SELECT project_id, object_id, alias, digest, toString(ver) AS at FROM object_aliases FINAL
      WHERE ${here(where)} AND ver >= ${ver(where)} AND digest != ''
      ORDER BY ver, object_id, alias LIMIT ${bind.uint(where.limit)}`,
      options,
    )
    return rows.map(({ project_id: projectId, object_id: object, alias, digest, at }) => ({
      ...{ projectId, at: Number(at), key: `${made.alias(object, alias, digest)} ${at}` },
      made: made.alias(object, alias, digest),
      subject: (trigger) =>
        trigger.type === 'alias' && isOr(trigger.object, object) && isOr(trigger.alias, alias)
          ? { type: 'version', id: digest, name: object, detail: alias, trace_id: null }
          : undefined,
    }))
  },
  dataset_version: async (store, where, options) => {
    const rows = await store.rows<VersionRow>(
      sql`SELECT project_id, object_id, digest, toString(min(written_ver)) AS at FROM objects
      WHERE ${here(where)} AND base_class = 'Dataset' AND written_ver >= ${ver(where)}
      GROUP BY project_id, object_id, digest ORDER BY min(written_ver), object_id, digest
      LIMIT ${bind.uint(where.limit)}`,
      options,
    )
    return rows.map(({ project_id: projectId, object_id: object, digest, at }) => ({
      ...{ projectId, at: Number(at), key: made.version(object, digest), made: made.version(object, digest) },
      subject: (trigger) =>
        trigger.type === 'dataset_version' && isOr(trigger.dataset, object)
          ? { type: 'version', id: digest, name: object, detail: null, trace_id: null }
          : undefined,
    }))
  },
  training_job: async (store, where, options) => {
    const rows = await store.rows<JobRow>(
      sql`SELECT job.project_id AS project_id, job.id AS id, status, created_by, model.name AS model,
        toString(toUnixTimestamp64Micro(finished_at)) AS at
      FROM (SELECT * FROM training_jobs FINAL WHERE ${here(where)} AND finished_at >= ${time(where)}
        AND status IN ${bind.strings([...JOB_ENDS])}) AS job
      LEFT JOIN (SELECT id, any(name) AS name FROM models WHERE ${here(where)} GROUP BY id) AS model
        ON job.model_id = model.id
      ORDER BY finished_at, id LIMIT ${bind.uint(where.limit)}`,
      options,
    )
    return rows.map(({ project_id: projectId, id, status, created_by, model, at }) => ({
      ...{ projectId, at: Number(at), key: `training ${id}`, made: made.training(created_by) },
      subject: (trigger) =>
        trigger.type === 'training_job' &&
        isOr(trigger.model, model) &&
        (trigger.statuses as string[]).includes(status)
          ? { type: 'training_job', id, name: model, detail: status, trace_id: null }
          : undefined,
    }))
  },
}

interface ScoreRow {
  project_id: string
  id: string
  call_id: string
  canonical_type: string
  payload: string
  trigger_ref: string
  at: string
}
interface AliasRow {
  project_id: string
  object_id: string
  alias: string
  digest: string
  at: string
}
type VersionRow = Omit<AliasRow, 'alias'>
interface JobRow {
  project_id: string
  id: string
  status: string
  created_by: string
  model: string
  at: string
}

const isOr = (wanted: string | null, name: string) => wanted === null || wanted === name

/** The call, whose op and trace are found later. */
function scored(trigger: RuleOnScore, row: ScoreRow): RuleSubject | undefined {
  const { canonical_type, trigger_ref, payload, call_id: id } = row
  if (canonicalType(trigger.feedback_type) !== canonical_type) return undefined
  const { monitor } = trigger
  if (monitor !== null && !trigger_ref.includes(`/object/${encodeURIComponent(monitor)}:`)) return undefined
  const value = valueAt(payload, trigger.json_path)
  if (!meets(value, trigger)) return undefined
  return { type: 'call', id, name: '', detail: JSON.stringify(value).slice(0, 200), trace_id: null }
}

/** The value at a path in a payload; undefined: there is none. */
export function valueAt(payload: string, path: string): unknown {
  const text = jsonAt(payload, path.split('.'))
  if (text === undefined) return undefined
  const value: unknown = JSON.parse(text)
  return value ?? undefined
}

const ORDERED: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
}

/** Whether a score is what a trigger asks for; only numbers are more or less. */
export function meets(
  value: unknown,
  { comparison, value: wanted }: Pick<RuleOnScore, 'comparison' | 'value'>,
): boolean {
  if (value === undefined) return false
  if (wanted === null) return true
  if (comparison === '=') return value === wanted
  if (comparison === '!=') return value !== wanted
  return typeof value === 'number' && typeof wanted === 'number' && ORDERED[comparison]!(value, wanted)
}

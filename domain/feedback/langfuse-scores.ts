/**
 * Stores scores of Langfuse's SDKs as feedback. The score of a trace belongs to the trace's root call, which often comes
 * later, as exporters send a span when it has ended: until then it's feedback on the trace as a turn of an agent, and
 * then it is moved.
 */
import { refText } from '../../contract/ref.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { service } from '../../platform/fairness/caller.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import { visible } from '../calls/read/visible.js'
import { rootIdOf } from '../imports/langfuse.js'
import { LANGFUSE_TYPE, type LangfuseScore, scoreFeedbackId, scorePayload } from './langfuse-score.js'
import { type Score, writeScores } from './scores.js'
import { agentRef } from './subject.js'
import { verOfChange } from './version.js'

/** Of exporters; a trace with another id came by Langfuse's events, and its root's id follows from it. */
const OTEL_TRACE = /^[0-9a-f]{32}$/
/** When roots are looked for again, in ms; the last time after about an hour. */
const FIRST_DELAY = 2000
const DELAYS = 11
/** How old scores may be that are moved when a process starts. */
const RESUMED_DAYS = 2
const MOST_MOVED = 10_000

export class LangfuseScores {
  private readonly background: Store
  /** projects with scores whose roots are to come; undefined: not known yet */
  private waiting: Set<string> | undefined
  private tries = 0
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(private readonly store: Store) {
    this.background = store.as(service('langfuse-scores'))
    this.plan()
  }

  /** Resolves when all are readable. Of two with one id the later one stays. @param project `entity/project` */
  async write(project: string, userId: string, scores: readonly LangfuseScore[]): Promise<void> {
    if (scores.length === 0) return
    const roots = await rootsOf(this.store, projectIdOf(project), scores.flatMap(ofTrace))
    const rows = scores.map(
      (score): Score => ({
        ...{ project, userId, id: scoreFeedbackId(project, score.id) },
        ...subjectOf(project, score, roots),
        name: `${LANGFUSE_TYPE}${score.name}`,
        payload: scorePayload(score),
        createdAt: score.timestamp === undefined ? undefined : Date.parse(score.timestamp) * 1000,
      }),
    )
    await writeScores(this.store, rows)
    if (rows.some(({ callId, weaveRef }) => callId === '' && weaveRef?.includes('/agent_turn/'))) {
      this.waiting?.add(projectIdOf(project))
      this.tries = 0
      this.plan()
    }
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private plan(): void {
    clearTimeout(this.timer)
    if (this.stopped || this.tries >= DELAYS) return
    this.timer = setTimeout(() => void this.again(), FIRST_DELAY * 2 ** this.tries++).unref()
  }

  /** Moves what can be moved; a failure is one more reason to try again. */
  private async again(): Promise<void> {
    try {
      this.waiting ??= await waitingProjects(this.background)
      for (const projectId of this.waiting)
        if ((await moveScores(this.background, projectId)) === 0) this.waiting.delete(projectId)
    } catch {
      // The store is away.
    }
    if (this.waiting?.size !== 0) this.plan()
  }
}

const ofTrace = ({ traceId, observationId }: LangfuseScore) => (traceId && !observationId ? [traceId] : [])

function subjectOf(
  project: string,
  { traceId, observationId, sessionId, datasetRunId }: LangfuseScore,
  roots: ReadonlyMap<string, string>,
): Pick<Score, 'callId' | 'weaveRef'> {
  if (sessionId) return { callId: '', weaveRef: agentRef(project, 'conversation', sessionId) }
  const trace = traceId ?? ''
  const callId = observationId || datasetRunId || roots.get(trace)
  if (callId) return { callId }
  return OTEL_TRACE.test(trace)
    ? { callId: '', weaveRef: agentRef(project, 'turn', trace) }
    : { callId: rootIdOf(trace) }
}

/** The root calls of these traces, as far as they are stored. */
async function rootsOf(
  store: Store,
  projectId: string,
  traces: readonly string[],
): Promise<Map<string, string>> {
  if (traces.length === 0) return new Map()
  const isRoot = [sql`trace_id IN ${bind.strings([...new Set(traces)])}`, sql`parent_id = ''`]
  const rows = await store.rows<{ trace_id: string; id: string }>(sql`
    SELECT trace_id, id ${visible('calls', projectId, isRoot)} ORDER BY started_at LIMIT 1 BY trace_id`)
  return new Map(rows.map(({ trace_id, id }) => [trace_id, id]))
}

const WAITING = sql`call_id = '' AND deleted = 0 AND startsWith(canonical_type, ${bind.string(LANGFUSE_TYPE)})
  AND position(weave_ref, '/agent_turn/') > 0`

async function waitingProjects(store: Store): Promise<Set<string>> {
  const rows = await store.rows<{ project_id: string }>(sql`SELECT DISTINCT project_id FROM feedback FINAL
    WHERE ${WAITING} AND created_at > now() - INTERVAL ${bind.uint(RESUMED_DAYS)} DAY`)
  return new Set(rows.map(({ project_id }) => project_id))
}

interface WaitingRow {
  weave_ref: string
  id: string
  feedback_type: string
  payload: string
  user_id: string
  created: number
  ver: string
  trace: string
}

/** Moves scores to the root calls that have come. @returns how many still wait */
async function moveScores(store: Store, projectId: string): Promise<number> {
  const rows = await store.rows<WaitingRow>(sql`SELECT weave_ref, id, feedback_type, payload, user_id,
      toUnixTimestamp64Micro(created_at) AS created, toString(ver) AS ver, JSONExtractString(payload, 'traceId') AS trace
    FROM feedback FINAL WHERE project_id = ${bind.string(projectId)} AND ${WAITING}
    ORDER BY created_at DESC LIMIT ${bind.uint(MOST_MOVED)}`)
  const roots = await rootsOf(
    store,
    projectId,
    rows.map(({ trace }) => trace),
  )
  const moved = rows.filter(({ trace }) => roots.has(trace))
  const deleted = { project_id: projectId, call_id: '', deleted: 1, ver: String(verOfChange(nextVersion())) }
  await store.insertRows('feedback', [
    ...moved.map(({ trace, created, weave_ref, ...row }) => {
      const id = roots.get(trace)!
      const [project = ''] = weave_ref.slice('weave:///'.length).split('/agent_turn/')
      return {
        ...row,
        ...{ project_id: projectId, call_id: id, canonical_type: row.feedback_type },
        weave_ref: refText({ project, kind: 'call', id, steps: [] }),
        created_at: isoOfMicros(created),
        stored_at: isoOfMicros(nowMicros()),
      }
    }),
    ...moved.map(({ weave_ref, id }) => ({ ...deleted, weave_ref, id })),
  ])
  return rows.length - moved.length
}

/**
 * Runs one job from where it was left: finished trials are skipped, unfinished ones are repeated under the same ids.
 */
import { deleteCalls } from '../domain/calls/delete.js'
import { endCalls } from '../domain/calls/own.js'
import { BY_PATCH } from '../domain/calls/patch.js'
import { recordCalls } from '../domain/calls/record.js'
import type { EvaluationJob } from '../domain/evaluation/jobs.js'
import { AT_ONCE, asksOthers, type EvaluatePlan, type RescorePlan } from '../domain/evaluation/plan.js'
import { each } from '../platform/batch/pool.js'
import { bind, sql } from '../platform/clickhouse/sql.js'
import type { Store } from '../platform/clickhouse/store.js'
import { HeddleError } from '../platform/errors/error.js'
import { projectIdOf } from '../platform/ids/project.js'
import { linesOf } from '../platform/json/lines.js'
import { nowMicros } from '../platform/time/iso.js'
import { UsageSums } from './answer.js'
import { Committer } from './committer.js'
import { evaluationTasks, type Sources } from './evaluate.js'
import { Deleted, RunFailure, Stopped } from './failure.js'
import { stableId } from './ids.js'
import type { Models } from './models.js'
import { finishedAmong, finishedTrials, type RootRow, rootCall, trialOutputs, twins } from './reads.js'
import { rescoringTasks } from './rescore.js'
import { monitorTasks, type ScoreTask, scoringTasks } from './score-calls.js'
import { type Scorer, scorerOf } from './scorer.js'
import { Summary } from './summary.js'
import { outcomeOf, type Run } from './trial.js'
import { Unscored } from './unscored.js'

export interface JobParts extends Sources {
  models: Models
  /** rows processed at once */
  width: number
  /** false: another worker may have the job by now */
  ours: () => boolean
}

/** Resolves when the job is done; failures are noted in the run. @throws transient errors (see {@link mayPass}), and unexpected ones */
export async function doJob(parts: JobParts, job: EvaluationJob, signal: AbortSignal): Promise<void> {
  const { plan } = job
  if (plan.kind === 'monitor') return score(parts, job, monitorTasks(parts, job, plan, parts.models), signal)
  const scorers = plan.scorers.map((one) => scorerOf(one, parts.models))
  if (plan.kind === 'score') return score(parts, job, scoringTasks(parts, job, plan, scorers), signal)
  try {
    await run(parts, job, plan, scorers, signal)
  } catch (error) {
    if (mayPass(error) || error instanceof Deleted) throw error
    const exception = error instanceof RunFailure ? error.message : UNFORESEEN
    await endRoot(parts.store, job, { output: '', summary: '{}', exception })
    if (!(error instanceof RunFailure)) throw error
  }
}

async function score(
  parts: JobParts,
  { project, plan }: EvaluationJob,
  tasks: AsyncIterable<ScoreTask>,
  signal: AbortSignal,
): Promise<void> {
  const committer = new Committer({ ...parts, project, wanted: async () => true })
  // Scores without a model are computed, and so stored, many at once.
  const many = plan.kind === 'monitor' ? plan.atOnce : AT_ONCE
  const width = asksOthers(plan) ? parts.width : Math.max(parts.width, many)
  await each(tasks, width, signal, async (task, stop) => {
    const outcome = await task(stop)
    if (outcome.calls.length + outcome.feedback.length > 0) await committer.write(outcome)
  })
}

const UNFORESEEN = 'Internal error; the log of the evaluation worker has the details.'

/** Whether the error is transient, so that the job can go on later. */
export function mayPass(error: unknown): boolean {
  return error instanceof Stopped || (error instanceof HeddleError && error.status === 503)
}

async function run(
  parts: JobParts,
  job: EvaluationJob,
  plan: EvaluatePlan | RescorePlan,
  scorers: readonly Scorer[],
  signal: AbortSignal,
): Promise<void> {
  const { store, models, ours } = parts
  const { project, id, userId } = job
  const projectId = projectIdOf(project)
  const root = await store.row<RootRow>(rootCall(projectId, id))
  if (root?.open !== 1) return
  const wanted = async () => (await store.row<RootRow>(rootCall(projectId, id))) !== undefined
  const committer = new Committer({ store, project, ours, wanted })
  const shared: Run = {
    ...{ project, userId, id, scorers, trialOp: plan.ops.trial },
    ...{ evaluation: plan.evaluation, model: plan.model },
  }
  const done = await store.rows<{ id: string }>(finishedTrials(projectId, id, plan.ops.trial))
  const finished = new Set(done.map((trial) => trial.id))
  const tasks =
    plan.kind === 'evaluate'
      ? evaluationTasks(parts, id, plan, models, finished)
      : rescoringTasks(parts, project, id, plan, finished)
  await each(tasks, parts.width, signal, async ({ trial, predict }, stop) => {
    await committer.write(await outcomeOf(shared, trial, () => predict(stop), stop))
  })
  await committer.confirm()
  if (!ours()) throw new Stopped('another worker may have it')
  await dropTwins(store, projectId, id)
  await finish(store, job, plan)
}

/** Deletes duplicate calls, which two workers may write while one takes over from the other. */
async function dropTwins(store: Store, projectId: string, trace: string): Promise<void> {
  const found = await store.rows<{ id: string; vers: number[] }>(twins(projectId, trace))
  if (found.length === 0) return
  const older = found.flatMap(({ id, vers }) => vers.slice(0, -1).map((ver) => [id, ver]))
  await store.run(
    sql`DELETE FROM ${store.mutable('calls')} WHERE project_id = ${bind.string(projectId)}
      AND trace_id = ${bind.string(trace)} AND (id, ver) IN ${bind.tuples(['String', 'UInt64'], older)}`,
    { settings: BY_PATCH },
  )
}

interface TrialRow {
  inputs: string
  output: string
  summary: string
  exception: string
}

/** Writes the run's summary as a call, and ends its root call. */
async function finish(store: Store, job: EvaluationJob, plan: EvaluatePlan | RescorePlan): Promise<void> {
  const { project, id, userId } = job
  const startedAt = nowMicros()
  const summary = new Summary(plan.scorers.map(({ name }) => name))
  const usage = new UsageSums()
  const unscored = new Unscored()
  const counts = { success: 0, error: 0 }
  const rows = await store.stream(trialOutputs(projectIdOf(project), id, plan.ops.trial), 'JSONEachRow')
  for await (const line of linesOf(rows)) {
    const trial = JSON.parse(line) as TrialRow
    unscored.add(trial)
    summary.add(JSON.parse(trial.output) as Parameters<Summary['add']>[0])
    const own = JSON.parse(trial.summary) as { usage?: unknown; status_counts?: typeof counts }
    usage.add(own.usage)
    counts.success += own.status_counts?.success ?? 0
    counts.error += own.status_counts?.error ?? 0
  }
  const output = JSON.stringify(summary.result())
  const projectId = projectIdOf(project)
  const summarize = stableId(id, 'summarize')
  // A worker may have died after writing this call and before ending the root.
  const [there] = await store.rows(finishedAmong(projectId, [summarize]))
  if (!there)
    await recordCalls(store, [
      {
        ...{ project, userId, id: summarize, traceId: id, parentId: id, startedAt, output },
        opName: plan.ops.summarize,
        endedAt: nowMicros(),
        inputs: JSON.stringify({ self: plan.evaluation }),
        attributes: '{}',
        summary: JSON.stringify({ status_counts: { success: 1, error: 0 } }),
      },
    ])
  counts.success += 2
  const used = usage.result()
  const ended = await endRoot(store, job, {
    output,
    summary: JSON.stringify({ ...(Object.keys(used).length > 0 && { usage: used }), status_counts: counts }),
    exception: unscored.message,
    descendantErrors: counts.error,
  })
  if (!ended) await deleteCalls(store, projectId, [summarize])
}

interface End {
  output: string
  summary: string
  exception?: string
  descendantErrors?: number
}

/** How often ending the root is tried: renaming the call meanwhile gives it another version. */
const ENDINGS = 5

/** Ends the root call, unless it has ended. @returns whether the root exists */
async function endRoot(store: Store, { project, id }: EvaluationJob, end: End): Promise<boolean> {
  const projectId = projectIdOf(project)
  for (let i = 0; i < ENDINGS; i++) {
    const root = await store.row<RootRow>(rootCall(projectId, id))
    if (root?.open !== 1) return root !== undefined
    await endCalls(store, [
      [
        { projectId, id, ver: Number(root.ver), open: true },
        { ...end, endedAt: nowMicros() },
      ],
    ])
  }
  return true
}

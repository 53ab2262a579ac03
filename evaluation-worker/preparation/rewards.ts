/**
 * Gives rewards to the groups of a job that have none, before it is trained: an event for each group as soon as its judge has
 * answered, then the data with the rewards in a file of its own. Who goes on after another worker asks no judge again.
 */
import { createHash } from 'node:crypto'
import { type FinishedCall, recordCalls } from '../../domain/calls/record.js'
import { addressOf, keyOf, rewardedKey } from '../../domain/training/artifact-keys.js'
import type { Guidance } from '../../domain/training/guidance.js'
import type { JobRow } from '../../domain/training/jobs.js'
import { type Json, judgedGroup, rewarded, rewardsOf } from '../../domain/training/rewards.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { each } from '../../platform/batch/pool.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { linesOf } from '../../platform/json/lines.js'
import { nowMicros } from '../../platform/time/iso.js'
import { RowFailure, RunFailure, Stopped } from '../failure.js'
import { stableId } from '../ids.js'
import type { Models } from '../models.js'
import { finishedAmong } from '../reads.js'
import type { PreparationEvent, PreparationEvents } from './events.js'
import { type Reward, rewardsFor } from './group.js'

export interface PreparedJob {
  store: Store
  artifacts: Artifacts
  /** the artifact store's address */
  root: string
  models: Models
  /** groups, or rows of a check, at once */
  width: number
  /** false: another worker may have the job by now */
  ours: () => boolean
  job: JobRow
  guidance: Guidance
  events: PreparationEvents
}

export type RewardedData = Pick<JobRow, 'data_address' | 'data_sha256' | 'data_bytes' | 'data_count'>

/** Calls that are stored together. */
const CALLS = 100

/** Asks for the rewards of all groups that have none and no event yet. @throws RunFailure, transient errors */
export async function giveRewards(parts: PreparedJob, signal: AbortSignal): Promise<void> {
  const { events, models, guidance } = parts
  const plan = guidance.reward!
  const done = new Set(events.all.filter(isOfGroup).map(({ data }) => data.group))
  async function* waiting() {
    for await (const { group, index } of groupsOf(parts))
      if (rewardsOf(group) !== 'given' && !done.has(index)) yield { group, index }
  }
  await each(waiting(), parts.width, signal, async ({ group, index }, stop) => {
    const began = performance.now()
    const judgement = { project: guidance.project, id: judgementId(parts.job, index), startedAt: nowMicros() }
    const facts = () => ({ group: index, scorer: plan.scorer.ref, seconds: secondsSince(began) })
    try {
      const { rewards, usage } = await rewardsFor(models, plan, group, judgement, stop)
      await events.add('group_rewarded', { ...facts(), rewards, usage }, stop)
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof RowFailure)) throw error
      const { code, message, usage } = error
      await events.add('group_refused', { ...facts(), code, reason: message, usage }, stop)
    }
  })
}

/**
 * Stores the groups with their rewards, without those that were refused, and the calls that were made for them.
 * @throws RunFailure if no group is left
 */
export async function storeRewarded(parts: PreparedJob, signal: AbortSignal): Promise<RewardedData> {
  const { artifacts, root, job, events } = parts
  const told = new Map(events.all.filter(isOfGroup).map((event) => [event.data.group, event]))
  const hash = createHash('sha256')
  let bytes = 0
  let count = 0
  async function* lines(): AsyncGenerator<Uint8Array> {
    let calls: FinishedCall[] = []
    for await (const { group, index } of groupsOf(parts)) {
      signal.throwIfAborted()
      const event = told.get(index)
      if (event) calls.push(callOf(parts, group, index, event))
      if (calls.length >= CALLS) {
        await recordMissing(parts, calls)
        calls = []
      }
      if (event?.type === 'group_refused') continue
      const line = event
        ? rewarded(
            group,
            rewardsIn(event).map(({ value }) => value),
          )
        : group
      const piece = Buffer.from(`${JSON.stringify(line)}\n`)
      hash.update(piece)
      bytes += piece.length
      count++
      yield piece
    }
    await recordMissing(parts, calls)
  }
  const key = rewardedKey(job.model_id, job.id)
  if (!parts.ours()) throw new Stopped('another worker may have it')
  await artifacts.write(key, lines())
  if (count === 0)
    throw new RunFailure('None of the groups got rewards; the events of the job say why of each.')
  return {
    data_address: addressOf(root, key),
    data_sha256: hash.digest('hex'),
    data_bytes: bytes,
    data_count: count,
  }
}

/** The groups of a job's data, in order. @throws RunFailure if the data is gone */
export async function* groupsOf({
  artifacts,
  root,
  job,
}: Pick<PreparedJob, 'artifacts' | 'root' | 'job'>): AsyncGenerator<{ group: Json; index: number }> {
  const key = keyOf(root, job.data_address)
  const content = key === undefined ? undefined : await artifacts.get(key)
  if (!content) throw new RunFailure('The data of the job is gone; send the job again.')
  let index = 0
  for await (const line of linesOf(content))
    if (line !== '') yield { group: JSON.parse(line) as Json, index: index++ }
}

const judgementId = ({ id }: JobRow, index: number) => stableId('reward', id, index)

const isOfGroup = ({ type }: PreparationEvent) => type === 'group_rewarded' || type === 'group_refused'

const rewardsIn = ({ data }: PreparationEvent) => data.rewards as Reward[]

const secondsSince = (began: number) => Math.round(performance.now() - began) / 1000

/** The call that a judgement was, so that its tokens and costs are counted where all are. */
function callOf(
  { guidance, job }: PreparedJob,
  group: Json,
  index: number,
  { type, data, at }: PreparationEvent,
): FinishedCall {
  const { scorer } = guidance.reward!
  const id = judgementId(job, index)
  const failed = type === 'group_refused'
  return {
    ...{ project: guidance.project, userId: job.created_by, id, traceId: id, parentId: '' },
    opName: scorer.op,
    startedAt: at - Math.round(Number(data.seconds) * 1e6),
    endedAt: at,
    inputs: JSON.stringify({ self: scorer.ref, ...judgedGroup(group) }),
    output: failed ? '' : JSON.stringify({ rewards: data.rewards }),
    attributes: JSON.stringify({ training: { job_id: job.id, group: index } }),
    summary: JSON.stringify({
      usage: data.usage,
      status_counts: { success: failed ? 0 : 1, error: failed ? 1 : 0 },
    }),
    exception: failed ? `${String(data.code)}: ${String(data.reason)}` : '',
  }
}

/** Stores those of the calls that are not yet stored. */
async function recordMissing(
  { store, guidance }: Pick<PreparedJob, 'store' | 'guidance'>,
  calls: readonly FinishedCall[],
): Promise<void> {
  if (calls.length === 0) return
  const ids = calls.map(({ id }) => id)
  const there = await store.rows<{ id: string }>(finishedAmong(projectIdOf(guidance.project), ids))
  const known = new Set(there.map(({ id }) => id))
  await recordCalls(
    store,
    calls.filter(({ id }) => !known.has(id)),
  )
}

/** The same for a single call. */
export const recordOnce = (parts: Pick<PreparedJob, 'store' | 'guidance'>, call: FinishedCall) =>
  recordMissing(parts, [call])

/** Checks a model before it is trained further: its newest checkpoint answers rows that it does not learn from. */
import type { ModelPlan } from '../../domain/evaluation/plan.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { checkpointList } from '../../domain/training/checkpoints.js'
import { type CheckEvent, checksOf } from '../../domain/training/checks.js'
import { meanReward, trajectoriesOf } from '../../domain/training/rewards.js'
import { type Verdict, verdict } from '../../domain/training/watch.js'
import { each } from '../../platform/batch/pool.js'
import { treeValue } from '../../platform/json/tree.js'
import { nowMicros } from '../../platform/time/iso.js'
import { type Usage, UsageSums } from '../answer.js'
import { RowFailure } from '../failure.js'
import { stableId } from '../ids.js'
import { questionOf } from '../judge.js'
import { type TableRow, tableRows } from '../reads.js'
import { rowsOf } from '../row-texts.js'
import { scorerOf } from '../scorer.js'
import type { Row } from '../trial.js'
import { type Judgement, scoreAnswer } from './answer.js'
import { rewardIn } from './group.js'
import { groupsOf, type PreparedJob, recordOnce } from './rewards.js'

export interface CheckedJob extends PreparedJob {
  register: ProjectRegister
  /** the model's name, `entity/project/name` */
  model: string
}

/** What came of a check. */
export type Checked =
  | { how: 'not due' }
  /** @param why too little came of it to be compared */
  | { how: 'failed'; why: string }
  | { how: 'checked'; checks: CheckEvent[]; verdict: Verdict }

/** Checks the model if that is due, once for a job. @throws transient errors */
export async function checked(parts: CheckedJob, signal: AbortSignal): Promise<Checked> {
  const { store, job, guidance, events } = parts
  const plan = guidance.check!
  const of = { dataset: plan.dataset.ref, scorer: plan.scorer.ref }
  const mine = events.all.find(({ type }) => type === 'held_out_check')
  if (!mine) {
    const before = await checksOf(store, job, of)
    const [newest] = await checkpointList(
      store,
      { project_id: job.project_id, id: job.model_id },
      { order: 'desc', limit: 1 },
    )
    const step = newest?.step ?? 0
    const last = before.at(-1)
    if (last && step - last.step < plan.every) return { how: 'not due' }
    const reward = await meanOfRewards(parts)
    const began = nowMicros()
    const id = stableId('check', job.id)
    const judgement = { project: guidance.project, id, startedAt: began }
    const { scores, failures, usage, why } = await answersTo(parts, step, judgement, signal)
    if (Object.keys(usage).length > 0 && parts.ours()) {
      await recordOnce(parts, {
        ...{ project: guidance.project, userId: job.created_by, id, traceId: id, parentId: '' },
        ...{ opName: plan.scorer.op, startedAt: began, endedAt: nowMicros() },
        inputs: JSON.stringify({ self: plan.scorer.ref, dataset: of.dataset, model: parts.model, step }),
        output: JSON.stringify({ scores }),
        attributes: JSON.stringify({ training: { job_id: job.id, check: step } }),
        summary: JSON.stringify({ usage, status_counts: { success: scores.length, error: failures } }),
      })
    }
    if (scores.length === 0 || scores.length < failures) return { how: 'failed', why }
    const heldOut = scores.reduce((sum, one) => sum + one, 0) / scores.length
    const facts = { step, reward, held_out: heldOut, rows: scores.length, rows_failed: failures }
    await events.add('held_out_check', { ...facts, ...of, usage }, signal)
  }
  const checks = await checksOf(store, job, of)
  return { how: 'checked', checks, verdict: verdict(checks, plan) }
}

async function meanOfRewards(parts: PreparedJob): Promise<number> {
  let sum = 0
  let count = 0
  for await (const { group } of groupsOf(parts)) {
    const size = trajectoriesOf(group).length
    if (size === 0) continue
    sum += meanReward(group) * size
    count += size
  }
  return count === 0 ? 0 : sum / count
}

interface Answers {
  scores: number[]
  failures: number
  usage: Record<string, Usage>
  /** of the first failure */
  why: string
}

/** The scores of the checkpoint's answers to the rows of the check. */
async function answersTo(
  parts: CheckedJob,
  step: number,
  judgement: Judgement,
  signal: AbortSignal,
): Promise<Answers> {
  const { store, models, guidance, register, model, width } = parts
  const { dataset, rows: most, scorer: plan, path, max_tokens } = guidance.check!
  const listed = await store.rows<TableRow>(tableRows(dataset, 0, most))
  const rows = await rowsOf(
    register,
    listed.map(({ val }) => val),
  )
  const predict: ModelPlan = {
    name: `artifact:///${model}${step === 0 ? '' : `:step${step}`}`,
    ...{ at: 'service', reads: [guidance.project], messages: [], format: 'text', schema: null },
    params: { temperature: 0, max_tokens },
  }
  const scorer = scorerOf(plan, models)
  const used = new UsageSums()
  const scores: number[] = []
  let failures = 0
  let why = 'The dataset has no rows.'
  async function* all(): AsyncGenerator<[number, Row]> {
    yield* rows.entries()
  }
  await each(all(), width, signal, async ([number, row], stop) => {
    try {
      const said = await models.ask(predict, questionOf(predict, row), stop)
      used.add({ [said.model]: said.usage })
      const { value, usage } = await scoreAnswer(
        scorer,
        { output: said.output, row, number },
        judgement,
        stop,
      )
      used.add(usage)
      scores.push(rewardIn(treeValue(value), path).value)
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof RowFailure)) throw error
      used.add(error.usage)
      if (failures++ === 0) why = error.message
    }
  })
  return { scores, failures, usage: used.result(), why }
}

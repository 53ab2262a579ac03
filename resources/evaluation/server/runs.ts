/** Accepts evaluations and scoring for the server: checks the request at once and stores a job for workers. */

import { SCORED_CALLS, SCORERS } from '../../../contract/evaluation-server.js'
import { refIn } from '../../../contract/ref.js'
import { insertJob } from '../../../domain/evaluation/jobs.js'
import { isRun } from '../../../domain/evaluation/ops-sql.js'
import {
  AT_ONCE,
  type EvaluatePlan,
  type MatchesPlan,
  type Plan,
  type RescorePlan,
  type ScorerPlan,
} from '../../../domain/evaluation/plan.js'
import { PLACEHOLDERS } from '../../../domain/refs/placeholder-op.js'
import { errors } from '../../../platform/errors/catalog.js'
import { HeddleError } from '../../../platform/errors/error.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { uuid7 } from '../../../platform/ids/uuid7.js'
import { JsonNumber } from '../../../platform/json/tree.js'
import { nowMicros } from '../../../platform/time/iso.js'
import { subjectOf, textAt } from '../call-row.js'
import { authorOf, type EvaluationParts, type Requester } from '../parts.js'
import { OP_PREFIX } from '../predictions.js'
import { isRef } from '../runs.js'
import { modelPlanOf } from './model-plan.js'
import { notRunnable, type ObjectValue, objectsAt } from './object-values.js'
import { checkScorer, scorerPlanOf } from './scorer-plan.js'

export class ServerRuns {
  constructor(private readonly parts: EvaluationParts) {}

  /**
   * Starts an evaluation. @param id of its root call; one that was started with it is not started again
   * @returns the id @throws 400, 403, 404, and `EVALUATIONS_OFF` (503)
   */
  async evaluate(
    requester: Requester,
    evaluationRef: string,
    modelRef: string,
    id: string = uuid7(),
  ): Promise<string> {
    await this.needWorkers()
    const { parts } = this
    const [evaluation, model] = await objectsAt(parts, requester.principal, [evaluationRef, modelRef])
    const about = evaluationOf(evaluation!)
    const [dataset] = await objectsAt(parts, requester.principal, [about.dataset])
    const scorers = await objectsAt(parts, requester.principal, about.scorers)
    for (const scorer of scorers) checkScorer(scorer)
    const predict = await modelPlanOf(parts, requester, model!.ref, model!.value)
    const table = tableOf(dataset!, requester)
    const plan: EvaluatePlan = {
      v: 1,
      kind: 'evaluate',
      ...{ evaluation: evaluation!.ref, model: model!.ref, predict, trials: about.trials },
      dataset: { ref: dataset!.ref, ...table },
      scorers: await this.scorers(requester, scorers),
      ops: await this.ops(requester),
    }
    return this.begin(requester, plan, about.name, id)
  }

  /** Starts a run over the predictions of another. @throws as {@link evaluate}, 400 while the other runs */
  async rescore(requester: Requester, source: string, scorerRefs: readonly string[]): Promise<string> {
    await this.needWorkers()
    const { parts } = this
    const root = await parts.calls.read(projectIdOf(requester.project), source)
    if (!root || !isRun(root)) throw errors.notFound(`Evaluation run ${source}`)
    if (root.ended === 0)
      throw errors.badRequest(`The evaluation run ${source} has not ended; rescore it afterwards.`)
    const scorers = await objectsAt(parts, requester.principal, unique(scorerRefs))
    for (const scorer of scorers) checkScorer(scorer)
    const plan: RescorePlan = {
      ...{ v: 1, kind: 'rescore', source },
      evaluation: subjectOf(root),
      model: textAt(root.inputs, ['model']),
      scorers: await this.scorers(requester, scorers),
      ops: await this.ops(requester),
    }
    return this.begin(requester, plan, '', uuid7())
  }

  /** Starts the scoring of calls. @throws as {@link evaluate}, 404 with the missing calls */
  async score(
    requester: Requester,
    callIds: readonly string[],
    scorerRefs: readonly string[],
  ): Promise<void> {
    await this.needWorkers()
    const { parts } = this
    const calls = unique(callIds)
    if (calls.length > SCORED_CALLS) throw errors.tooMany('calls', SCORED_CALLS)
    const scorers = await objectsAt(parts, requester.principal, unique(scorerRefs))
    for (const scorer of scorers) checkScorer(scorer)
    const projectId = projectIdOf(requester.project)
    const found = await Promise.all(calls.map((id) => parts.calls.read(projectId, id)))
    const missing = calls.filter((_, i) => found[i] === undefined)
    if (missing.length > 0) throw missingCalls(missing)
    const plan: Plan = { v: 1, kind: 'score', calls, scorers: await this.scorers(requester, scorers) }
    await this.queue(requester, uuid7(), plan)
  }

  /**
   * Starts the scoring of calls that monitors matched.
   * @param since µs; all of them began then or later @param atOnce how many of them may be read at once
   */
  async scoreMatches(
    requester: Requester,
    since: number,
    matches: readonly MatchesPlan[],
    atOnce = AT_ONCE,
  ): Promise<void> {
    await this.queue(requester, uuid7(), { v: 1, kind: 'monitor', since, atOnce, matches: [...matches] })
  }

  /** The plans of scorers. @throws 400, 403 and 404 */
  async plansOf(requester: Requester, scorerRefs: readonly string[]): Promise<ScorerPlan[]> {
    const scorers = await objectsAt(this.parts, requester.principal, unique(scorerRefs))
    for (const scorer of scorers) checkScorer(scorer)
    return this.scorers(requester, scorers)
  }

  /** The plans of scorers, and the table of a dataset. @throws as {@link evaluate} */
  async planned(
    requester: Requester,
    scorerRefs: readonly string[],
    datasetRef: string | undefined,
  ): Promise<{ scorers: ScorerPlan[]; dataset: EvaluatePlan['dataset'] | null }> {
    await this.needWorkers()
    const [dataset] =
      datasetRef === undefined ? [] : await objectsAt(this.parts, requester.principal, [datasetRef])
    const table = dataset && { ref: dataset.ref, ...tableOf(dataset, requester) }
    return { scorers: await this.plansOf(requester, scorerRefs), dataset: table ?? null }
  }

  /** Why nobody would score anything now; undefined: somebody would. */
  async whyNobody(): Promise<string | undefined> {
    const { notifier } = this.parts
    return notifier === undefined ? NO_QUEUE : notifier.whyNobody()
  }

  /** @throws `EVALUATIONS_OFF` (503) where the job would wait for ever */
  private async needWorkers(): Promise<void> {
    const why = await this.whyNobody()
    if (why !== undefined) throw errors.evaluationsOff(why)
  }

  private async scorers(requester: Requester, scorers: readonly ObjectValue[]): Promise<ScorerPlan[]> {
    if (scorers.length > SCORERS) throw errors.tooMany('scorers', SCORERS)
    const twice = scorers.find(({ name }, i) => scorers.findIndex((one) => one.name === name) !== i)
    if (twice) throw errors.badRequest(`Two of the scorers are named ${twice.name}; rename one.`)
    const plans = await Promise.all(scorers.map((scorer) => scorerPlanOf(this.parts, requester, scorer)))
    // Create ops only after all checks.
    return Promise.all(plans.map(async (plan) => ({ ...plan, op: await this.scoreOp(requester, plan.name) })))
  }

  private scoreOp(requester: Requester, scorer: string): Promise<string> {
    const op = `${scorer.slice(0, OP_PREFIX)}.score`
    return this.parts.publisher.ownOp(authorOf(requester), op, PLACEHOLDERS.score)
  }

  private async ops(requester: Requester): Promise<EvaluatePlan['ops']> {
    const { publisher } = this.parts
    const author = authorOf(requester)
    const [trial, summarize, predict] = await Promise.all([
      publisher.ownOp(author, 'Evaluation.predict_and_score', PLACEHOLDERS.predict_and_score),
      publisher.ownOp(author, 'Evaluation.summarize', PLACEHOLDERS.summarize),
      publisher.ownOp(author, 'LLMStructuredCompletionModel.predict', PLACEHOLDERS.predict),
    ])
    return { trial, summarize, predict }
  }

  /** Writes the root call first: a worker that finds none assumes that the run was deleted. */
  private async begin(
    requester: Requester,
    plan: EvaluatePlan | RescorePlan,
    displayName: string,
    id: string,
  ): Promise<string> {
    const { journal, publisher, calls } = this.parts
    const author = authorOf(requester)
    const there = await calls.read(projectIdOf(requester.project), id)
    if (there && there.open === 0) return id
    const source = plan.kind === 'rescore' ? { source_evaluation_run_id: plan.source } : {}
    if (there === undefined)
      await journal.write({
        started: [
          {
            ...{ ...author, id, traceId: id, displayName, startedAt: nowMicros() },
            opName: await publisher.ownOp(author, 'Evaluation.evaluate', PLACEHOLDERS.evaluate),
            inputs: JSON.stringify({ self: plan.evaluation, model: plan.model }),
            attributes: JSON.stringify({ weave: { run_by: 'server', ...source } }),
          },
        ],
      })
    await this.queue(requester, id, plan)
    return id
  }

  private async queue({ project, principal }: Requester, id: string, plan: Plan): Promise<void> {
    const { store, notifier } = this.parts
    await insertJob(store, { project, id, userId: principal.userId, username: principal.username, plan })
    void notifier?.notify(projectIdOf(project), id)
  }
}

const NO_QUEUE =
  'start it with HEDDLE_EVALUATIONS on and with chat, or a REDIS_URL; the query role needs a REDIS_URL, and `heddle evaluation-worker` beside it'

const unique = (texts: readonly string[]) => [...new Set(texts)]

/** Reads an evaluation's object. @throws `NOT_RUNNABLE` (400) */
function evaluationOf({ ref, className, value }: ObjectValue) {
  if (className !== 'Evaluation')
    throw notRunnable(
      'evaluation',
      ref,
      className === '' ? 'it is not an evaluation' : `its class is ${className}`,
    )
  const { dataset, scorers, trials, evaluation_name, preprocess_model_input } = Object.fromEntries(value)
  if (preprocess_model_input !== null && preprocess_model_input !== undefined)
    throw notRunnable('evaluation', ref, 'its preprocess_model_input is Python code')
  if (typeof dataset !== 'string' || !isRef(dataset))
    throw notRunnable('evaluation', ref, 'its dataset is not a ref')
  const refs = scorers ?? []
  if (!Array.isArray(refs) || !refs.every((one) => typeof one === 'string' && isRef(one)))
    throw notRunnable('evaluation', ref, 'its scorers are not refs')
  const tried = trials instanceof JsonNumber ? Number(trials.text) : 1
  if (!Number.isInteger(tried) || tried < 1 || tried > MOST_TRIALS)
    throw notRunnable('evaluation', ref, `its trials are not 1 to ${MOST_TRIALS}`)
  const name = typeof evaluation_name === 'string' ? evaluation_name.slice(0, 1024) : ''
  return { dataset, scorers: unique(refs as string[]), trials: tried, name }
}

const MOST_TRIALS = 1000

/** The table with the rows of a dataset. @throws `NOT_RUNNABLE` (400), 403 */
function tableOf({ ref, value }: ObjectValue, { principal }: Requester): { project: string; table: string } {
  const rows = value.get('rows')
  const table = typeof rows === 'string' ? refIn(rows) : undefined
  if (table?.kind !== 'table') throw notRunnable('dataset', ref, 'its rows are not a table')
  principal.must('read', table.project)
  return { project: projectIdOf(table.project), table: table.digest }
}

function missingCalls(ids: readonly string[]): HeddleError {
  const some = ids.slice(0, 10).join(', ')
  return new HeddleError('NOT_FOUND', 404, `Calls not found: ${some}.`, {
    body: { missing_calls: ids },
  })
}

/** Stores predictions as calls; in a run each is below a call that also holds its scores. */
import type { CallEnd } from '../../domain/calls/own.js'
import type { StartedCall } from '../../domain/calls/record.js'
import { isTrial } from '../../domain/evaluation/ops-sql.js'
import { nameIn } from '../../domain/refs/op-name.js'
import { PLACEHOLDERS } from '../../domain/refs/placeholder-op.js'
import { Batcher } from '../../platform/batch/batcher.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { nowMicros } from '../../platform/time/iso.js'
import { type CallRow, jsonAt, textAt } from './call-row.js'
import { authorOf, type BodyRequest, type EvaluationParts } from './parts.js'
import type { Author } from './publish.js'
import { endingOf, isRef, type Runs } from './runs.js'
import { targetsOf } from './targets.js'
import { scoresBelow } from './views.js'

/** The longest name of a model or scorer within the name of an op. */
export const OP_PREFIX = 100

/** A prediction, with its trial if it has one. */
export interface Placed {
  prediction: CallRow
  trial: CallRow | undefined
}

/** A score below a trial: JSON text, and the ref of its scorer. */
interface ScoreRow {
  trial: string
  output: string
  scorer: string
}

export class Predictions {
  /** reads trials' scores; concurrent reads share one statement per project */
  private readonly scores: Batcher<{ projectId: string; id: string }, ScoreRow[]>

  constructor(
    private readonly parts: EvaluationParts,
    private readonly runs: Runs,
  ) {
    this.scores = new Batcher(
      async (trials) => {
        const found = new Map<string, ScoreRow[]>()
        for (const projectId of new Set(trials.map((trial) => trial.projectId))) {
          const ids = trials.filter((trial) => trial.projectId === projectId).map(({ id }) => id)
          found.set(projectId, await parts.store.rows<ScoreRow>(scoresBelow(projectId, ids)))
        }
        return trials.map(({ projectId, id }) => found.get(projectId)!.filter(({ trial }) => trial === id))
      },
      { concurrency: 2, items: 64 },
    )
  }

  /** Writes a prediction and returns its id. @throws 404 if the model or run is missing, 400 if the run has ended */
  async create({ project, principal, bytes }: BodyRequest): Promise<string> {
    const { finder, journal, publisher, workers } = this.parts
    const body = await workers.run('prediction', bytes)
    if (isRef(body.model)) await targetsOf(finder, principal, [body.model])
    const runId = body.evaluation_run_id
    const run = runId === null ? undefined : await this.runs.run(project, runId)
    if (run && run.ended !== 0)
      throw errors.badRequest(`The evaluation run ${runId} has ended and takes no more predictions.`)
    const author = authorOf({ project, principal })
    const name = isRef(body.model) ? nameIn(body.model).slice(0, OP_PREFIX) : 'Model'
    const opName = await publisher.ownOp(author, `${name}.predict`, PLACEHOLDERS.predict)
    const id = uuid7()
    const trial = run && (await this.trialOf(author, run, body, id))
    const startedAt = nowMicros()
    await journal.write({
      started: trial ? [trial] : [],
      finished: [
        {
          ...{ project, id, traceId: run?.trace_id ?? id, opName, startedAt, userId: principal.userId },
          ...(trial && { parentId: trial.id }),
          endedAt: nowMicros(),
          inputs: `{"self":${JSON.stringify(body.model)},"inputs":${body.inputs}}`,
          output: body.output,
          attributes: JSON.stringify({
            weave: {
              prediction: 'true',
              model: body.model,
              ...(runId !== null && { evaluation_run_id: runId }),
              ...(body.genai_span_ref && { genai_span_ref: body.genai_span_ref }),
            },
          }),
          summary: '{}',
        },
      ],
    })
    return id
  }

  /** Reads a prediction of the project, made by these routes or an SDK. @throws 404 */
  async placed(project: string, id: string): Promise<Placed> {
    const { calls } = this.parts
    const projectId = projectIdOf(project)
    const prediction = await calls.read(projectId, id)
    const parent = prediction && (await calls.read(projectId, prediction.parent_id))
    const trial = parent && isTrial(parent) ? parent : undefined
    if (prediction && (trial || textAt(prediction.attributes, ['weave', 'prediction']) === 'true'))
      return { prediction, trial }
    throw errors.notFound(`Prediction ${id}`)
  }

  /** Ends a prediction's trial; does nothing outside of runs. @throws 404, and 400 if it has ended */
  async finish(project: string, id: string): Promise<void> {
    const projectId = projectIdOf(project)
    await this.parts.leases.hold(`prediction/${projectId}/${id}`, async () => {
      const { prediction, trial } = await this.placed(project, id)
      if (!trial) return
      if (trial.ended !== 0) throw errors.badRequest(`The prediction ${id} is already finished.`)
      await this.end(projectId, trial, outputOf(prediction, await this.scoresOf(projectId, trial)))
    })
  }

  /** Sets a trial's output, JSON text, and ends the trial if it runs. Hold its lease. */
  async end(projectId: string, trial: CallRow, output: string): Promise<void> {
    const end: CallEnd = {
      endedAt: trial.ended === 0 ? nowMicros() : trial.ended,
      output,
      summary: trial.summary || '{}',
    }
    await this.parts.journal.end(endingOf(projectId, trial), end)
  }

  /** The scores below a trial, the newest of each scorer: JSON texts by name. */
  private async scoresOf(projectId: string, { id }: CallRow): Promise<Map<string, string>> {
    const rows = await this.scores.ask({ projectId, id })
    return new Map(rows.map(({ output, scorer }) => [nameIn(scorer), output || 'null']))
  }

  private async trialOf(
    author: Author,
    run: CallRow,
    { model, inputs, rowDigest }: { model: string; inputs: string; rowDigest: string | undefined },
    predictionId: string,
  ): Promise<StartedCall> {
    const { publisher } = this.parts
    const opName = await publisher.ownOp(
      author,
      'Evaluation.predict_and_score',
      PLACEHOLDERS.predict_and_score,
    )
    const self = JSON.stringify(textAt(run.inputs, ['self']))
    return {
      ...{ ...author, opName, id: uuid7(), traceId: run.trace_id, parentId: run.id },
      startedAt: nowMicros(),
      inputs: `{"self":${self},"model":${JSON.stringify(model)},"example":${inputs}}`,
      attributes: JSON.stringify({ weave: { predict_call_id: predictionId, row_digest: rowDigest } }),
    }
  }
}

/** The output of a trial as the SDKs write it: its prediction's output, and scores (JSON texts by name). */
function outputOf(prediction: CallRow, scores: ReadonlyMap<string, string>): string {
  const members = [...scores].map(([name, value]) => `${JSON.stringify(name)}:${value}`)
  const { started, ended } = prediction
  const latency = ended === 0 ? 'null' : JSON.stringify({ mean: (ended - started) / 1e6 })
  return `{"output":${prediction.output || 'null'},"scores":{${members.join(',')}},"model_latency":${latency}}`
}

/** JSON text of a prediction's inputs, which these routes wrap. */
export function givenInputs({ inputs, attributes }: CallRow): string {
  if (textAt(attributes, ['weave', 'prediction']) === 'true') return jsonAt(inputs, ['inputs']) ?? '{}'
  return inputs || '{}'
}

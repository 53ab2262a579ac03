/** Stores scores of predictions: each is a call beside the prediction, and feedback on it. */

import { refText } from '../../contract/ref.js'
import { PLACEHOLDERS } from '../../domain/refs/placeholder-op.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { membersOf, objectText } from '../../platform/json/members.js'
import { nowMicros } from '../../platform/time/iso.js'
import { FeedbackStore } from '../feedback/store.js'
import { authorOf, type BodyRequest, type EvaluationParts } from './parts.js'
import { givenInputs, OP_PREFIX, type Placed, type Predictions } from './predictions.js'
import type { Runs } from './runs.js'
import { type Target, targetsOf } from './targets.js'

export class Scores {
  private readonly feedback: FeedbackStore

  constructor(
    private readonly parts: EvaluationParts,
    private readonly runs: Runs,
    private readonly predictions: Predictions,
  ) {
    this.feedback = new FeedbackStore(parts.store)
  }

  /**
   * Writes a score and returns its id. A trial that has ended gets the score as well.
   * @throws 404 if the prediction, scorer or run is missing, 400 if the prediction is of another run
   */
  async create({ project, principal, bytes }: BodyRequest): Promise<string> {
    const { workers, finder, journal, publisher } = this.parts
    const body = await workers.run('score', bytes)
    const { value } = body
    const [scorer] = await targetsOf(finder, principal, [body.scorer])
    const placed = await this.predictions.placed(project, body.prediction_id)
    const place = await this.placeOf(project, placed, body.evaluation_run_id)
    const { name } = scorer!.pointer
    const author = authorOf({ project, principal })
    const op = `${name.slice(0, OP_PREFIX)}.score`
    const opName = await publisher.ownOp(author, op, PLACEHOLDERS.score)
    const id = uuid7()
    const feedback = await workers.run('feedback', feedbackOn(project, placed, scorer!, id, value))
    const startedAt = nowMicros()
    await journal.write({
      finished: [
        {
          ...{ project, id, opName, startedAt, userId: principal.userId, output: value, summary: '{}' },
          traceId: place.traceId ?? id,
          parentId: place.parentId,
          endedAt: nowMicros(),
          inputs: inputsOf(body.scorer, placed),
          attributes: JSON.stringify({
            weave: {
              score: 'true',
              prediction_id: body.prediction_id,
              scorer: body.scorer,
              ...(place.run !== null && { evaluation_run_id: place.run }),
            },
          }),
        },
      ],
    })
    await Promise.all([
      this.feedback.write(feedback, principal.userId, undefined),
      this.takeUp(project, placed, name, value),
    ])
    return id
  }

  private async placeOf(
    project: string,
    { prediction, trial }: Placed,
    asked: string | null,
  ): Promise<{ run: string | null; traceId: string | undefined; parentId: string }> {
    const own = trial?.parent_id ?? null
    if (asked !== null) {
      const run = await this.runs.run(project, asked)
      if (own === null) return { run: asked, traceId: run.trace_id, parentId: asked }
    }
    if (asked !== null && asked !== own)
      throw errors.badRequest(
        `The prediction ${prediction.id} is of the evaluation run ${own}, not ${asked}.`,
      )
    return { run: own, traceId: trial?.trace_id, parentId: trial?.id ?? '' }
  }

  /** Adds the score to a trial that has already ended, under the trial's lease, so that it can't end meanwhile. */
  private async takeUp(
    project: string,
    { prediction, trial }: Placed,
    name: string,
    value: string,
  ): Promise<void> {
    if (!trial) return
    const projectId = projectIdOf(project)
    await this.parts.leases.hold(`prediction/${projectId}/${prediction.id}`, async () => {
      const now = await this.parts.calls.read(projectId, trial.id)
      if (!now || now.ended === 0) return
      await this.predictions.end(projectId, now, withScore(now.output, name, value))
    })
  }
}

/** The output of a trial with one more score; all other bytes stay unchanged. JSON texts. */
function withScore(output: string, name: string, value: string): string {
  const members = membersOf(output)
  const scores = membersOf(members.get('scores') ?? '')
  return objectText(members.set('scores', objectText(scores.set(name, value))))
}

/** The body of feedback on the prediction, the same as an SDK's when it applies a scorer to a call. */
function feedbackOn(
  project: string,
  { prediction }: Placed,
  scorer: Target,
  scoreId: string,
  value: string,
): Uint8Array {
  const weave_ref = refText({ project, kind: 'call', id: prediction.id, steps: [] })
  const fields = {
    project_id: project,
    weave_ref,
    feedback_type: `wandb.runnable.${scorer.pointer.name}`,
    runnable_ref: scorer.ref,
    call_ref: refText({ project, kind: 'call', id: scoreId, steps: [] }),
  }
  return Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"payload":{"output":${value}}}`)
}

function inputsOf(scorer: string, { prediction }: Placed): string {
  const output = prediction.output || 'null'
  return `{"self":${JSON.stringify(scorer)},"inputs":${givenInputs(prediction)},"output":${output}}`
}

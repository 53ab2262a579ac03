/** Runs of evaluations: a run starts as the root call of a trace and ends with the means of its scores. */

import type { Ending } from '../../domain/calls/own.js'
import { isRun } from '../../domain/evaluation/ops-sql.js'
import { PLACEHOLDERS } from '../../domain/refs/placeholder-op.js'
import { errors } from '../../platform/errors/catalog.js'
import { derivedId } from '../../platform/ids/derived.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { nowMicros } from '../../platform/time/iso.js'
import { type CallRow, textAt } from './call-row.js'
import { authorOf, type BodyRequest, type EvaluationParts } from './parts.js'
import { meansOf } from './results/means.js'
import { targetsOf } from './targets.js'

export class Runs {
  constructor(private readonly parts: EvaluationParts) {}

  /**
   * Starts a run. @returns its id, which is also its trace's id
   * @throws 404 if the evaluation, the model or the source run is missing
   */
  async create({ project, principal, bytes }: BodyRequest): Promise<string> {
    const { finder, journal, publisher, workers } = this.parts
    const body = await workers.run('run', bytes)
    const refs = [body.evaluation, ...(isRef(body.model) ? [body.model] : [])]
    const [evaluation] = await targetsOf(finder, principal, refs)
    const source = body.source_evaluation_run_id
    if (source !== null) await this.run(project, source)
    const author = authorOf({ project, principal })
    const [opName, displayName] = await Promise.all([
      publisher.ownOp(author, 'Evaluation.evaluate', PLACEHOLDERS.evaluate),
      this.displayName(evaluation!.pointer),
    ])
    const id = uuid7()
    await journal.write({
      started: [
        {
          ...{ project, id, traceId: id, opName, displayName, userId: principal.userId },
          startedAt: nowMicros(),
          inputs: JSON.stringify({ self: body.evaluation, model: body.model }),
          attributes: JSON.stringify({
            weave: {
              evaluation_run: 'true',
              evaluation: body.evaluation,
              model: body.model,
              ...(source !== null && { source_evaluation_run_id: source }),
            },
          }),
        },
      ],
    })
    return id
  }

  /** The root call of a run. @throws 404 */
  async run(project: string, id: string): Promise<CallRow> {
    const call = await this.parts.calls.read(projectIdOf(project), id)
    if (call && isRun(call)) return call
    throw errors.notFound(`Evaluation run ${id}`)
  }

  /** Ends a run with a summary call and the end of its root, both with the means. @throws 404, and 400 if it has ended */
  async finish({ project, principal, bytes }: BodyRequest, id: string): Promise<void> {
    const projectId = projectIdOf(project)
    const { leases, store, calls, journal, publisher, workers } = this.parts
    const { summary } = await workers.run('finish', bytes)
    await leases.hold(`evaluation-run/${projectId}/${id}`, async () => {
      const run = await this.run(project, id)
      if (run.ended !== 0)
        throw errors.badRequest(`The evaluation run ${id} has ended; start another one with evaluation_runs.`)
      const author = authorOf({ project, principal })
      const summaryId = derivedId(`summary of ${projectId} ${id}`)
      const [output, opName, before] = await Promise.all([
        meansOf(store, projectId, id),
        publisher.ownOp(author, 'Evaluation.summarize', PLACEHOLDERS.summarize),
        calls.read(projectId, summaryId),
      ])
      const startedAt = nowMicros()
      const own = { endedAt: nowMicros(), output, summary: '{}' }
      // An interrupted finish has left a summary call, which gets the current means.
      if (before) await journal.end(endingOf(projectId, before), own)
      else
        await journal.write({
          finished: [
            {
              ...{ project, id: summaryId, traceId: run.trace_id, parentId: id, opName, startedAt, ...own },
              userId: principal.userId,
              inputs: JSON.stringify({ self: textAt(run.inputs, ['self']) }),
              attributes: '{}',
            },
          ],
        })
      await journal.end(endingOf(projectId, run), { endedAt: nowMicros(), output, summary })
    })
  }

  /** The display name that the evaluation gives its runs, '' for none. */
  private async displayName({ project, name, digest }: { project: string; name: string; digest: string }) {
    const value = await this.parts.objectReader.value({ project: projectIdOf(project), object: name, digest })
    return value === undefined ? '' : textAt(value, ['evaluation_name']).slice(0, 1024)
  }
}

/** The version of a call to end, or to end again. */
export function endingOf(projectId: string, { id, ver, open }: CallRow): Ending {
  return { projectId, id, ver: Number(ver), open: open === 1 }
}

/** True for a ref, which is checked; any other text is the caller's own name for something. */
export function isRef(text: string): boolean {
  return text.startsWith('weave:///')
}

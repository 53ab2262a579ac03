/** Starts an evaluation on the server. */
import { parseRef } from '../../../contract/ref.js'
import type { RuleSubject } from '../../../contract/rules.js'
import { treeText } from '../../../platform/json/tree.js'
import { authorOf, type EvaluationParts, type Requester } from '../../evaluation/parts.js'
import { refOf } from '../../evaluation/publish.js'
import { objectsAt } from '../../evaluation/server/object-values.js'
import type { ServerRuns } from '../../evaluation/server/runs.js'
import { evaluationOf, made } from '../match.js'
import type { Perform } from './action.js'

export function evaluate(parts: EvaluationParts, runs: ServerRuns): Perform<'evaluate'> {
  return async ({ evaluation, model }, [run], { requester, before }) => {
    const { subject, id: runId } = run!
    const id = evaluationOf(runId)
    const ref = await evaluationRef(parts, requester, evaluation, subject)
    await before(made.evaluation(id))
    await runs.evaluate(requester, ref, modelRef(requester.project, model, subject), id)
    return [{ result: id }]
  }
}

/** @param model its name, or name:alias; null: the version that the match is about */
function modelRef(project: string, model: string | null, subject: RuleSubject): string {
  const [name = '', digest = 'latest'] = model === null ? [subject.name, subject.id] : model.split(':')
  return refOf(project, 'object', name, digest)
}

/**
 * The newest version of an evaluation. If the match is about a version of its dataset, a version of the evaluation with
 * that one is published.
 */
async function evaluationRef(
  parts: EvaluationParts,
  requester: Requester,
  name: string,
  { type, name: object, id: digest }: RuleSubject,
): Promise<string> {
  const { project, principal } = requester
  const latest = refOf(project, 'object', name, 'latest')
  if (type !== 'version') return latest
  const [found] = await objectsAt(parts, principal, [latest])
  const { ref, value } = found!
  const dataset = value.get('dataset')
  if (typeof dataset !== 'string') return ref
  const target = parseRef(dataset)
  if (target.kind !== 'object' || target.project !== project || target.name !== object) return ref
  if (target.digest === digest) return ref
  const changed = new Map([...value]).set('dataset', refOf(project, 'object', object, digest))
  const published = await parts.publisher.object(authorOf(requester), name, treeText(changed))
  return refOf(project, 'object', name, published)
}

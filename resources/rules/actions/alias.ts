/** Sets an alias to the version that a match is about, if the scores of its evaluation allow it. */
import { refIn } from '../../../contract/ref.js'
import type { RuleSubject } from '../../../contract/rules.js'
import { CallReader } from '../../../domain/calls/read/reader.js'
import { lastComparable } from '../../../domain/evaluation/baseline.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Auditor } from '../../../platform/http/audit.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { EvaluationParts } from '../../evaluation/parts.js'
import { refOf } from '../../evaluation/publish.js'
import { failuresOf } from '../../evaluation/results/gate.js'
import { type RunView, runViews } from '../../evaluation/run-view.js'
import { checkLive } from '../../objects/routes.js'
import { auditedRule } from '../audited.js'
import { made } from '../match.js'
import type { Perform } from './action.js'

/** @param auditor undefined: there is no audit log */
export function setAlias(parts: EvaluationParts, auditor: Auditor | undefined): Perform<'set_alias'> {
  const { finder, labels, store, limits } = parts
  const reader = new CallReader(store, limits)

  return async ({ alias, gate }, [match], { requester, projectId, before }) => {
    const { project, principal } = requester
    const { subject } = match!
    const run = subject.type === 'evaluation_run' ? await runAt(projectId, subject) : undefined
    const { name, digest } = run ? modelOf(run, project) : { name: subject.name, digest: subject.id }
    const version = await finder.find(projectId, name, digest)
    checkLive(version, `${name}:${digest}`)
    if (run && gate.length > 0) {
      const baseline = await runOfAlias(project, name, alias, run)
      const why = await failuresOf(parts, requester, run.evaluation_run_id, baseline, gate)
      if (why.length > 0) return [{ result: `${alias} stays where it is. ${why.join('. ')}.` }]
    }
    await before(made.alias(name, alias, version.digest))
    const target = { object_id: name, digest: version.digest, aliases: [alias] }
    await auditedRule(auditor, match!, requester, { action: 'set_alias', category: 'labels', target }, () =>
      labels.setAliases(version, [alias], principal.userId),
    )
    return [{ result: refOf(project, 'object', name, version.digest) }]
  }

  async function runAt(projectId: string, { id }: RuleSubject): Promise<RunView> {
    const [run] = await runViews(reader, projectId, { ids: [id] })
    if (run === undefined) throw errors.notFound(`Evaluation run ${id}`)
    if (run.status === 'failed') throw errors.badRequest('The run of the evaluation failed.')
    return run
  }

  /** The last completed run of the same evaluation with the version that has the alias; undefined: there is none. */
  async function runOfAlias(
    project: string,
    object: string,
    alias: string,
    run: RunView,
  ): Promise<string | undefined> {
    const projectId = projectIdOf(project)
    const version = await finder.find(projectId, object, alias)
    if (version === undefined) return undefined
    const model = refOf(project, 'object', object, version.digest)
    const runs = await runViews(reader, projectId, { models: [model] })
    return lastComparable(runs, run)?.evaluation_run_id
  }
}

/** The version that a run was of. @throws 400 if it is none of this project */
function modelOf({ model }: RunView, project: string): { name: string; digest: string } {
  const ref = refIn(model)
  if (ref?.kind === 'object' && ref.project === project) return ref
  throw errors.badRequest(
    `The run's model "${model.slice(0, 200)}" is not a version of an object of ${project}.`,
  )
}

/** Finds what a run is compared with: a run by its id, or the last run of the version that a name means. */
import { objsQuery } from '../../contract/objects.js'
import { lastComparable } from '../../domain/evaluation/baseline.js'
import { nameIn } from '../../domain/refs/op-name.js'
import { CommandError } from '../command.js'
import { answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { readVersion, refOf, type StoredObject, versionNamed } from '../objects/version.js'
import { type Run, readRun, runsOf } from './runs.js'
import { MODEL_CLASS } from './start.js'

/** Most models that are looked through for a prompt. */
const MODELS = 10_000

/**
 * @param text the id of a run; `name:version` or `name@label` of a model or a prompt, or its ref
 * @param run what is compared with it: the same evaluation, and not itself
 * @throws CommandError if there is no such run
 */
export async function baselineOf(to: Target, project: string, text: string, run: Run): Promise<Run> {
  if (!/[:@]/.test(text)) return readRun(to, project, text)
  const named = versionNamed(project, text)
  const version = await readVersion(to, named)
  const models = await modelsOf(to, project, refOf(named.project, version), version)
  const runs = models.length === 0 ? [] : await runsOf(to, project, models)
  const found = lastComparable(runs, run)
  if (found) return found
  throw new CommandError(
    `no baseline: ${text} is ${version.object_id} v${version.version_index}, which has no completed run of ${nameIn(run.evaluation)}; start one with \`heddle eval run\``,
    2,
  )
}

/** The version itself, or the models that ask with it, if it is a prompt. */
async function modelsOf(to: Target, project: string, ref: string, version: StoredObject): Promise<string[]> {
  if (version.base_object_class !== 'Prompt') return [ref]
  const filter = { leaf_object_classes: [MODEL_CLASS], latest_only: false }
  const { objs } = await answerIn(to, project, objsQuery, { filter, limit: MODELS })
  return objs.flatMap((one) => {
    const { default_params: params } = one.val as { default_params?: { prompt?: unknown } }
    return params?.prompt === ref ? [refOf(project, one)] : []
  })
}

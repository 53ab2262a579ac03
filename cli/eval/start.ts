/** Starts an evaluation that the server runs: of a model or a prompt, on an evaluation or on a dataset with scorers. */
import { evaluations } from '../../contract/evaluation-objects.js'
import { evaluateModel } from '../../contract/evaluation-server.js'
import { objCreate } from '../../contract/objects.js'
import { CommandError } from '../command.js'
import { answerFor, answerIn, answerOf } from '../contract-client.js'
import { projectNamed, type Target } from '../http-client.js'
import { readVersion, refNamed, refOf, versionNamed } from '../objects/version.js'
import { wholeNumber } from '../option-values.js'

/** As commander gives them. */
export interface StartOptions {
  evaluation?: string
  dataset?: string
  scorer?: string[]
  trials?: string
  model?: string
  prompt?: string
  llm?: string
  temperature?: string
  maxTokens?: string
}

/** What the server can call by itself. */
export const MODEL_CLASS = 'LLMStructuredCompletionModel'

/** Whether any of the options names something to run. */
export function startsRun({ evaluation, dataset, model, prompt }: StartOptions): boolean {
  return [evaluation, dataset, model, prompt].some((one) => one !== undefined)
}

/** @returns the id of the run @throws CommandError for options that don't go together */
export async function begin(to: Target, project: string, options: StartOptions): Promise<string> {
  check(options)
  const [evaluation_ref, model_ref] = await Promise.all([
    evaluationOf(to, project, options),
    modelOf(to, project, options),
  ])
  return (await answerIn(to, project, evaluateModel, { evaluation_ref, model_ref })).call_id
}

function check({
  evaluation,
  dataset,
  scorer = [],
  trials,
  model,
  prompt,
  llm,
  ...params
}: StartOptions): void {
  if ((evaluation === undefined) === (dataset === undefined))
    throw new CommandError('give either --evaluation, or --dataset with --scorer', 2)
  if (dataset !== undefined && scorer.length === 0)
    throw new CommandError('--dataset needs a --scorer, which may be repeated', 2)
  if (evaluation !== undefined && (scorer.length > 0 || trials !== undefined))
    throw new CommandError('--scorer and --trials go with --dataset; an evaluation has its own', 2)
  if ((model === undefined) === (prompt === undefined))
    throw new CommandError('give either --model, or --prompt with --llm', 2)
  if ((prompt === undefined) !== (llm === undefined))
    throw new CommandError('--prompt needs --llm, the name of a model that answers it, and --llm a prompt', 2)
  if (model !== undefined && Object.values(params).some((one) => one !== undefined))
    throw new CommandError('--temperature and --max-tokens go with --prompt; a model has its own', 2)
}

/** The ref of the evaluation; equal datasets and scorers give the same version. */
async function evaluationOf(to: Target, project: string, options: StartOptions): Promise<string> {
  const { evaluation, dataset = '', scorer = [], trials = '1' } = options
  if (evaluation !== undefined) return refNamed(to, project, evaluation)
  const [set, ...scorers] = await Promise.all([dataset, ...scorer].map((one) => refNamed(to, project, one)))
  const { evaluation_ref: ref } = await answerFor(to, project, evaluations.create, {
    ...{ name: `${versionNamed(project, dataset).name}-evaluation`, dataset: set, scorers },
    trials: wholeNumber('--trials', trials),
  })
  return ref
}

/** The ref of the model; an equal prompt and equal parameters give the same version. */
async function modelOf(to: Target, project: string, options: StartOptions): Promise<string> {
  const { model, prompt = '', llm, temperature, maxTokens } = options
  if (model !== undefined) return refNamed(to, project, model)
  const named = versionNamed(project, prompt)
  const ref = refOf(named.project, await readVersion(to, named))
  const name = `${named.name}-${llm}`.replaceAll(/[^\w.-]+/g, '-').slice(0, 128)
  const val = {
    ...{ _type: MODEL_CLASS, _class_name: MODEL_CLASS, _bases: ['Model', 'Object', 'BaseModel'] },
    ...{ name, description: null, llm_model_id: llm },
    default_params: {
      prompt: ref,
      ...(temperature !== undefined && { temperature: temperatureOf(temperature) }),
      ...(maxTokens !== undefined && { max_tokens: wholeNumber('--max-tokens', maxTokens) }),
    },
  }
  const obj = { project_id: projectNamed(project), object_id: name, val }
  const { digest } = await answerOf(to, objCreate, { obj })
  return refOf(project, { object_id: name, digest })
}

function temperatureOf(text: string): number {
  if (text !== '' && Number(text) >= 0) return Number(text)
  throw new CommandError('--temperature must be 0 or more', 2)
}

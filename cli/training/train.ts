/** `heddle train`: on answers, pairs of them, judged or rewarded ones, from a file, a dataset or calls, and its preview. */
import { previewTrainingData } from '../../contract/training-data.js'
import { createModel } from '../../contract/training-models.js'
import { listModels } from '../../contract/training-service.js'
import { CommandError } from '../command.js'
import { type AnswerTo, answerOf } from '../contract-client.js'
import { sendJson, type Target } from '../http-client.js'
import { wholeNumber } from '../option-values.js'
import { say } from '../subcommand.js'
import { follow, stillRunning } from './follow.js'
import { type RewardFields, type RewardOptions, rewardFields } from './train-rewards.js'
import { type DataFields, dataOf, type SourceOptions } from './train-source.js'
import type { Job } from './training-client.js'

interface TrainOptions extends SourceOptions, RewardOptions {
  model?: string
  base?: string
  learningRate?: string
  preview?: boolean
  detach?: boolean
}

type Model = AnswerTo<typeof createModel>

/** Trains, follows, and returns the message to print: the checkpoint and how to use it. */
export async function train(to: Target, file: string | undefined, options: TrainOptions): Promise<string> {
  const data = dataOf(file, options)
  const { reward, check } = rewardFields(options)
  if (options.preview)
    return previewScreen(await preview(to, { ...data, ...(reward && { reward }) }, options.method))
  const [name, config] = [nameOf(options.model), configOf(options)]
  const model = await register(to, name, options.base)
  const [path, how] =
    options.method === 'rl'
      ? ['training-jobs', { experimental_config: config, reward, check }]
      : ['sft-training-jobs', { config }]
  const job = await sendJson<Job>(to, `/v1/preview/${path}`, { model_id: model.id, ...data, ...how })
  say(startedScreen(job.id, name, model, await servedModels(to)))
  if (options.detach) return `${stillRunning(job.id)}\n`
  return followed(to, job.id)
}

/**
 * @param name as it was given: alone it does not say in which project the model is
 * @param served base models
 */
export function startedScreen(
  job: string,
  name: readonly string[],
  model: Pick<Model, 'entity' | 'project' | 'name' | 'base_model'>,
  served: readonly string[],
): string {
  const full = `${model.entity}/${model.project}/${model.name}`
  const where =
    name.length === 1
      ? `${full} is the model ${model.name} of your default project; for another, use --model entity/project/name\n`
      : ''
  const base = model.base_model
  const waits = served.includes(base)
    ? ''
    : `\nno node serves ${base} now${served.length > 0 ? ` (they serve ${served.join(', ')})` : ''}: the job waits until one can train it`
  return `${where}job ${job}: ${full} on ${base}${waits}`
}

function configOf(options: TrainOptions): object {
  const { method, batchSize, learningRate, epochs, beta, desirableWeight, undesirableWeight } = options
  const rates = learningRate?.split(',').map(Number)
  if (rates?.some((rate) => !(rate > 0 && rate <= 1)))
    throw new CommandError('--learning-rate must be a number above 0, or one per batch, comma-separated', 2)
  return {
    ...(method !== undefined && method !== 'rl' && { method }),
    ...positive('beta', '--beta', beta),
    ...positive('desirable_weight', '--desirable-weight', desirableWeight),
    ...positive('undesirable_weight', '--undesirable-weight', undesirableWeight),
    ...(batchSize !== undefined && { batch_size: wholeNumber('--batch-size', batchSize) }),
    ...(rates && { learning_rate: rates.length === 1 ? rates[0] : rates }),
    ...(epochs !== undefined && { epochs: wholeNumber('--epochs', epochs) }),
  }
}

/** A field of the config, if its option is given. */
function positive(field: string, option: string, value: string | undefined): object {
  if (value === undefined) return {}
  if (!(Number(value) > 0)) throw new CommandError(`${option} must be a number above 0`, 2)
  return { [field]: Number(value) }
}

/** The entity (if given), the project and the name. */
function nameOf(model = ''): string[] {
  const parts = model.split('/')
  if (parts.includes('') || (parts.length !== 1 && parts.length !== 3))
    throw new CommandError('name the model: --model <name>, or --model <entity/project/name>', 2)
  return parts
}

async function register(to: Target, parts: string[], base: string | undefined): Promise<Model> {
  const [entity = null, project = null] = parts.length === 3 ? parts : []
  return answerOf(to, createModel, {
    ...{ entity, project, name: parts.at(-1) },
    base_model: base ?? (await servedModel(to)),
    return_existing: true,
  })
}

/** The first base model that is served and can chat. @throws CommandError if there is none */
export async function servedModel(to: Target): Promise<string> {
  const { data } = await answerOf(to, listModels)
  const first = data.find((one) => !('capabilities' in one) || one.capabilities.chat)
  if (first !== undefined) return first.id
  throw new CommandError('no model is served; `heddle doctor` shows what is missing')
}

async function servedModels(to: Target): Promise<string[]> {
  const { data } = await answerOf(to, listModels)
  return data.map(({ id }) => id)
}

interface Message {
  role: string
  content: string | null
  tool_calls?: object[]
}

type Example =
  | { messages: Message[] }
  | { prompt: Message[]; chosen: Message[]; rejected: Message[] }
  | { prompt: Message[]; completion: Message[]; label: boolean }
  | { trajectories: { messages_and_choices: (Message | { message: Message })[]; reward?: number }[] }

interface Preview {
  examples: Example[]
  rows_read: number
  rows_used: number
  rows_left_out: number
  has_more: boolean
  left_out: { message: string; count: number; ids: string[] }[]
}

function preview(to: Target, data: DataFields & RewardFields, kind = 'sft'): Promise<Preview> {
  if (!('training_data' in data))
    throw new CommandError('--preview works with --dataset and --calls, not with a file', 2)
  return sendJson(to, previewTrainingData.path, { ...data, kind, examples: 3 })
}

/** The first examples, and why rows are skipped. */
export function previewScreen({ examples, left_out: left, ...counts }: Preview): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const first = counts.has_more ? 'the first ' : ''
  const shown = examples.map((example, i) => {
    const lines = messagesIn(example).map(({ role, content, tool_calls: calls }) => {
      const said = content ?? (calls ? JSON.stringify(calls) : '')
      return `  ${role.padEnd(9)} ${cut(said.replaceAll(/\s+/g, ' '))}`
    })
    return `example ${i + 1}\n${lines.join('\n')}\n`
  })
  const reasons = left.map(
    ({ count, message, ids }) => `  ${number(count).padStart(6)}  ${message} (${ids.join(', ')})\n`,
  )
  return [
    ...shown,
    `\n${number(counts.rows_used)} of ${first}${number(counts.rows_read)} rows would be used${left.length > 0 ? '; skipped:' : ''}\n`,
    ...reasons,
  ].join('')
}

/** The messages of an example, its answers with what they are as their role. */
function messagesIn(example: Example): Message[] {
  const named = (role: string, messages: Message[]) => messages.map((one) => ({ ...one, role }))
  if ('messages' in example) return example.messages
  if ('trajectories' in example) {
    const items = example.trajectories.map(({ messages_and_choices: all }) => all)
    const context = (items[0] ?? []).filter((item) => 'role' in item)
    const answers = example.trajectories.flatMap(({ messages_and_choices: all, reward }) =>
      named(
        reward === undefined ? 'answer' : String(reward),
        all.flatMap((item) => ('role' in item ? [] : [item.message])),
      ),
    )
    return [...context, ...answers]
  }
  const answers =
    'chosen' in example
      ? [...named('chosen', example.chosen), ...named('rejected', example.rejected)]
      : named(example.label ? 'good' : 'bad', example.completion)
  return [...example.prompt, ...answers]
}

function cut(text: string): string {
  return text.length <= 90 ? text : `${text.slice(0, 89)}…`
}

/** Follows a job until it ends. @returns where its checkpoint is */
export async function followed(to: Target, id: string): Promise<string> {
  return trainedScreen(await follow(to, id))
}

/** Where the checkpoint is, and how to use it. */
export function trainedScreen({ entity, project, model_name: name, checkpoint_step: step }: Job): string {
  const address = `artifact:///${entity}/${project}/${name}`
  return `trained: ${address}:step${step ?? 0}

Talk to it:      heddle chat ${address}
From an SDK:     model="${address}"
`
}

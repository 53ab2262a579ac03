/** The rule that the options of `heddle rules` describe. Pure. */
import { CommandError } from '../command.js'
import { expressionOf, jsonOf } from '../option-values.js'

export interface TriggerOptions {
  on?: string
  op?: string[]
  where?: string
  rate?: number
  feedback?: string
  monitor?: string
  path?: string
  is?: string
  of?: string
  alias?: string
  ended?: string[]
}

export interface RuleOptions extends TriggerOptions {
  dataset?: string
  column?: string[]
  queue?: string
  evaluate?: string
  model?: string
  train?: string
  trainingData?: string
  setAlias?: string
  min?: string[]
  max?: string[]
  maxRegression?: string[]
  notify?: string
  message?: string
  perDay?: number
  off?: boolean
  file?: string
}

type Members = Record<string, unknown>
/** As /rules/save has it. */
type Definition = Members & { trigger: unknown; actions: unknown }

/** @throws CommandError for options that describe none */
export function ruleOf(options: RuleOptions): Definition {
  if (options.file !== undefined) return jsonOf('--file', `@${options.file}`) as Definition
  const actions = actionsOf(options)
  if (actions.length === 0)
    throw new CommandError(
      'say what to do: --dataset, --queue, --evaluate, --train, --set-alias or --notify',
      2,
    )
  const { off, perDay } = options
  return { trigger: triggerOf(options), actions, active: off !== true, max_per_day: perDay }
}

export function triggerOf(options: TriggerOptions): Members {
  const { on, where, of, alias } = options
  const query = where === undefined ? undefined : { $expr: expressionOf('--where', where) }
  switch (on) {
    case 'call':
      return known({ type: 'call', op_names: options.op, query, sampling_rate: options.rate })
    case 'turn':
      return known({ type: 'turn', query, sampling_rate: options.rate })
    case 'score':
      return scoreOf(options)
    case 'alias':
      return known({ type: 'alias', object: of, alias })
    case 'dataset-version':
      return known({ type: 'dataset_version', dataset: of })
    case 'evaluation':
      return known({ type: 'evaluation', evaluation: of })
    case 'training-job':
      return known({ type: 'training_job', model: of, statuses: options.ended })
    default:
      throw new CommandError('say what sets it off: --on call, score, alias, …', 2)
  }
}

const COMPARED = /^(>=|<=|!=|>|<|=)?\s*(.+)$/s

function scoreOf({ feedback, monitor, path, is }: TriggerOptions): Members {
  if (feedback === undefined) throw new CommandError('name the feedback that is the score: --feedback', 2)
  const [, comparison, value = ''] = COMPARED.exec(is ?? '') ?? []
  const compared = is === undefined ? {} : { comparison: comparison ?? '=', value: literalOf(value) }
  return known({ type: 'score', feedback_type: feedback, monitor, json_path: path, ...compared })
}

/** A number, true, false, or a text. */
function literalOf(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function actionsOf(options: RuleOptions): Members[] {
  const { dataset, queue, evaluate, model, train, setAlias, notify, message } = options
  const data = options.trainingData
  const columns = options.column && Object.fromEntries(options.column.map((one) => named('--column', one)))
  return [
    ...(dataset === undefined ? [] : [known({ type: 'add_to_dataset', dataset, columns })]),
    ...(queue === undefined ? [] : [{ type: 'add_to_queue', queue }]),
    ...(evaluate === undefined ? [] : [known({ type: 'evaluate', evaluation: evaluate, model })]),
    ...(train === undefined
      ? []
      : [known({ type: 'train', model: train, training_data: data && jsonOf('--training-data', data) })]),
    ...(setAlias === undefined ? [] : [{ type: 'set_alias', alias: setAlias, gate: gateOf(options) }]),
    ...(notify === undefined ? [] : [known({ type: 'notify', channel: notify, message })]),
  ]
}

function gateOf({ min = [], max = [], maxRegression = [] }: RuleOptions): Members[] {
  const scores = new Map<string, Members>()
  const set = (option: string, member: string, texts: readonly string[]) => {
    for (const text of texts) {
      const [score, value] = named(option, text)
      if (!Number.isFinite(Number(value))) throw new CommandError(`${option}: "${value}" is not a number`, 2)
      scores.set(score, { ...scores.get(score), score, [member]: Number(value) })
    }
  }
  set('--min', 'min', min)
  set('--max', 'max', max)
  set('--max-regression', 'max_regression', maxRegression)
  return [...scores.values()]
}

function named(option: string, text: string): [name: string, value: string] {
  const at = text.lastIndexOf('=')
  if (at < 1 || at === text.length - 1) throw new CommandError(`${option} ${text}: write name=value`, 2)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Without the members that are undefined. */
const known = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

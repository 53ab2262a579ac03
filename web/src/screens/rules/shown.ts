/** What is shown of rules: each as one sentence, and how what they did went. Pure. */
import type { RuleActionRun, RunState } from '../../api/rules'
import { share } from '../../ui/format'
import { whereOf } from '../traces/condition'
import type { Action, ActionType, Trigger, TriggerType } from './draft'

export const TRIGGER_TITLES: Readonly<Record<TriggerType, string>> = {
  call: 'A call has ended',
  turn: 'A turn of an agent has ended',
  score: 'A score or feedback has come',
  alias: 'An alias was set',
  dataset_version: 'A dataset has a new version',
  evaluation: 'A run of an evaluation has ended',
  training_job: 'A training job has ended',
}

export const ACTION_TITLES: Readonly<Record<ActionType, string>> = {
  add_to_queue: 'Put the call into a queue',
  add_to_dataset: 'Add the call to a dataset',
  evaluate: 'Run an evaluation',
  train: 'Train a model',
  set_alias: 'Set an alias',
  notify: 'Notify people',
}

export const STATES: Readonly<Record<RunState, string>> = {
  ...{ waiting: 'waiting', done: 'done', failed: 'failed', cut: 'cut' },
}

/** As far as a sentence needs it: also of what is about to be saved. */
export interface Said {
  trigger: Trigger
  actions: readonly (Partial<Action> & Pick<Action, 'type'>)[]
}

/** `When a thumb down comes, put the call into the queue "review".` */
export function sentenceOf({ trigger, actions }: Said): string {
  const done = actions.map((action) => actionText(action as Action, trigger.type))
  const last = done.at(-1)
  const before = done.slice(0, -1).join(', ')
  return `When ${triggerText(trigger)}, ${before === '' ? last : `${before} and ${last}`}.`
}

const quoted = (name: string) => `"${name === '' ? '…' : name}"`
/** `the model "router"`, or `a model` */
const oneOr = (
  name: string | null,
  thing: string,
  any = `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`,
) => (name === null || name === '' ? any : `the ${thing} ${quoted(name)}`)

function triggerText(trigger: Trigger): string {
  switch (trigger.type) {
    case 'call':
      return `a call${ofOps(trigger.op_names ?? [])} ends${which(trigger)}`
    case 'turn':
      return `a turn of an agent ends${which(trigger)}`
    case 'score':
      return scoreText(trigger)
    case 'alias':
      return `${oneOr(trigger.alias, 'alias')} of ${oneOr(trigger.object, 'object', 'any object')} is set`
    case 'dataset_version':
      return `${oneOr(trigger.dataset, 'dataset')} gets a new version`
    case 'evaluation':
      return `a run of ${oneOr(trigger.evaluation, 'evaluation')} ends`
    case 'training_job':
      return `a training job of ${oneOr(trigger.model, 'model', 'any model')} ${endText(trigger.statuses)}`
  }
}

/** Names without the rest of their refs. */
function ofOps(ops: readonly string[]): string {
  if (ops.length === 0) return ''
  return ` of ${ops.map((op) => /\/op\/([^/:]+)/.exec(op)?.[1] ?? op).join(' or ')}`
}

function which({ query, sampling_rate: rate }: Extract<Trigger, { type: 'call' | 'turn' }>): string {
  const where = query === null ? '' : ` that matches ${whereOf(query)}`
  return rate < 1 ? `${where} (${share(rate)} of them)` : where
}

const REACTION = 'wandb.reaction.1'
const THUMBS: Readonly<Record<string, string>> = { '👎': 'a thumb down', '👍': 'a thumb up' }
const SCORER = 'wandb.runnable.'

function scoreText(trigger: Extract<Trigger, { type: 'score' }>): string {
  const { feedback_type: type, monitor, json_path: path, comparison, value } = trigger
  const from = monitor === null || monitor === '' ? '' : ` of the monitor ${quoted(monitor)}`
  if (type === REACTION && comparison === '=' && typeof value === 'string' && THUMBS[value] !== undefined)
    return `${THUMBS[value]}${from} comes`
  const name = type.startsWith(SCORER) ? type.slice(SCORER.length) : type
  const compared = value === null ? '' : ` with ${path} ${comparison} ${value}`
  return `a score ${quoted(name)}${from} comes${compared}`
}

const ENDS = { completed: 'completes', failed: 'fails', cancelled: 'is cancelled' } as const
const endText = (statuses: readonly (keyof typeof ENDS)[]) => statuses.map((one) => ENDS[one]).join(' or ')

function actionText(action: Action, trigger: TriggerType): string {
  switch (action.type) {
    case 'add_to_dataset':
      return `add the call to the dataset ${quoted(action.dataset)}`
    case 'add_to_queue':
      return `put the call into the queue ${quoted(action.queue)}`
    case 'evaluate': {
      const isOfAlias = trigger === 'alias' && !action.model
      const model = isOfAlias ? 'the version that has the alias' : `the model ${quoted(action.model ?? '')}`
      return `run the evaluation ${quoted(action.evaluation)} on ${model}`
    }
    case 'train':
      return `train the model ${quoted(action.model)}${action.training_data === null ? ' on that version' : ''}`
    case 'set_alias': {
      const what = trigger === 'evaluation' ? 'the model that was evaluated' : 'that version'
      const gate = action.gate?.length ? ' if its scores pass' : ''
      return `set the alias ${quoted(action.alias)} to ${what}${gate}`
    }
    case 'notify':
      return `notify people by ${quoted(action.channel)}`
  }
}

/** What else is known of an action that is not done yet: `tried twice`. */
export function triedText({ attempts }: Pick<RuleActionRun, 'attempts'>): string {
  if (attempts === 0) return ''
  return attempts === 1 ? 'tried once' : `tried ${attempts} times`
}

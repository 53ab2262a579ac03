/** A rule as the form holds it, in texts: what it begins with, and what goes together in one. Pure. */
import { ACTIONS_OF } from '../../../../domain/rules/fits'
import type { RuleDefinition } from '../../api/rules'
import type { Where } from '../traces/condition'

export type Trigger = RuleDefinition['trigger']
export type Action = RuleDefinition['actions'][number]
export type TriggerType = Trigger['type']
export type ActionType = Action['type']
export type OnScore = Extract<Trigger, { type: 'score' }>
export type Comparison = OnScore['comparison']

/** What a score is compared as. */
export type Kind = 'any' | 'number' | 'boolean' | 'text'

/** Empty texts stand for null: any, or none. */
export type TriggerDraft =
  | ({ type: 'call'; ops: string } & Where)
  | ({ type: 'turn' } & Where)
  | {
      type: 'score'
      feedback_type: string
      monitor: string
      json_path: string
      comparison: Comparison
      kind: Kind
      value: string
    }
  | { type: 'alias'; object: string; alias: string }
  | { type: 'dataset_version'; dataset: string }
  | { type: 'evaluation'; evaluation: string }
  | {
      type: 'training_job'
      model: string
      statuses: Extract<Trigger, { type: 'training_job' }>['statuses']
    }

export type GateScore = Extract<Action, { type: 'set_alias' }>['gate'][number]
export type TrainKind = 'sft' | 'dpo' | 'kto' | 'rl'

export interface Column {
  name: string
  path: string
}

export type ActionDraft =
  | { type: 'add_to_dataset'; dataset: string; columns: readonly Column[] }
  | { type: 'add_to_queue'; queue: string }
  | { type: 'evaluate'; evaluation: string; model: string }
  | {
      type: 'train'
      model: string
      kind: TrainKind
      /** version: the one that set off the rule */
      from: 'version' | 'dataset' | 'json'
      dataset: string
      /** the whole source of the data */
      data: string
      /** all options but the method */
      config: string
    }
  | { type: 'set_alias'; alias: string; gate: readonly GateScore[] }
  | { type: 'notify'; channel: string; message: string }

export interface Draft {
  name: string
  description: string
  trigger: TriggerDraft
  actions: readonly ActionDraft[]
  max_per_day: number | null
  active: boolean
}

/** What each trigger begins with. */
export const TRIGGERS: { readonly [Type in TriggerType]: Extract<TriggerDraft, { type: Type }> } = {
  call: { type: 'call', ops: '', query: null, where: '', percent: 100 },
  turn: { type: 'turn', query: null, where: '', percent: 100 },
  score: {
    ...{ type: 'score', feedback_type: '', monitor: '', json_path: 'output.value' },
    ...{ comparison: '=', kind: 'boolean', value: 'true' },
  },
  alias: { type: 'alias', object: '', alias: '' },
  dataset_version: { type: 'dataset_version', dataset: '' },
  evaluation: { type: 'evaluation', evaluation: '' },
  training_job: { type: 'training_job', model: '', statuses: ['completed'] },
}

/** What each action begins with. */
export const ACTIONS: { readonly [Type in ActionType]: Extract<ActionDraft, { type: Type }> } = {
  add_to_queue: { type: 'add_to_queue', queue: '' },
  add_to_dataset: { type: 'add_to_dataset', dataset: '', columns: [] },
  evaluate: { type: 'evaluate', evaluation: '', model: '' },
  train: {
    ...{ type: 'train', model: '', kind: 'sft', from: 'dataset' },
    ...{ dataset: '', data: '', config: '' },
  },
  set_alias: { type: 'set_alias', alias: '', gate: [] },
  notify: { type: 'notify', channel: '', message: '' },
}

export const NO_SCORE: GateScore = { score: '', min: null, max: null, max_regression: null }

/** The actions that a trigger can set off: some need a call, others a version. */
export const actionsFor = (trigger: TriggerType): readonly ActionType[] => ACTIONS_OF[trigger]

/** The rule with another trigger, and those of its actions that go with it. */
export function withTrigger(draft: Draft, type: TriggerType): Draft {
  const fitting = actionsFor(type)
  const actions = draft.actions
    .filter((action) => fitting.includes(action.type))
    .map((action): ActionDraft => {
      if (action.type === 'train' && action.from === 'version' && type !== 'dataset_version')
        return { ...action, from: 'dataset' }
      return action.type === 'set_alias' && type !== 'evaluation' ? { ...action, gate: [] } : action
    })
  return {
    ...draft,
    trigger: TRIGGERS[type],
    actions: actions.length > 0 ? actions : [ACTIONS[fitting[0]!]],
  }
}

export const NEW: Draft = {
  ...{ name: '', description: '', trigger: TRIGGERS.call, actions: [ACTIONS.add_to_queue] },
  ...{ max_per_day: 1000, active: true },
}

type Example = Pick<Draft, 'name' | 'trigger' | 'actions'>

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'A thumb down, for review': {
    name: 'thumbs-down',
    trigger: {
      ...TRIGGERS.score,
      ...{ feedback_type: 'wandb.reaction.1', json_path: 'detoned', kind: 'text', value: '👎' },
    },
    actions: [{ type: 'add_to_queue', queue: 'review' }],
  },
  'Failed calls, for a dataset': {
    name: 'failures',
    trigger: { ...TRIGGERS.call, where: 'status:error' },
    actions: [{ ...ACTIONS.add_to_dataset, dataset: 'failures' }],
  },
  'New rows, for training': {
    name: 'train-again',
    trigger: TRIGGERS.dataset_version,
    actions: [{ ...ACTIONS.train, from: 'version' }],
  },
  'Good scores, for production': {
    name: 'promote',
    trigger: TRIGGERS.evaluation,
    actions: [{ ...ACTIONS.set_alias, alias: 'production', gate: [{ ...NO_SCORE, min: 0.9 }] }],
  },
}

export const FIRST_EXAMPLE: Draft = { ...NEW, ...Object.values(EXAMPLES)[0]! }

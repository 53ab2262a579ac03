/** What a rule does, from the service to the form and back. Pure. */
import { parseJson } from '../../api/json'
import { objectRef } from '../../api/object-ref'
import type { RuleSave } from '../../api/rules'
import { jsonProblem } from '../../ui/json-problem'
import { indented } from '../../ui/parsed'
import type { Action, ActionDraft } from './draft'

export function actionDraftOf(project: string, action: Action): ActionDraft {
  switch (action.type) {
    case 'add_to_dataset': {
      const columns = Object.entries(action.columns ?? {}).map(([name, path]) => ({ name, path }))
      return { ...action, columns }
    }
    case 'evaluate':
      return { ...action, model: action.model ?? '' }
    case 'train':
      return trainDraftOf(project, action)
    case 'notify':
      return { ...action, message: action.message ?? '' }
    default:
      return action
  }
}

/** undefined: a part of it can't be read */
export function actionOf(project: string, draft: ActionDraft): RuleSave['actions'][number] | undefined {
  switch (draft.type) {
    case 'add_to_dataset': {
      const columns = draft.columns.map(({ name, path }) => [name, path] as const)
      return { ...draft, columns: columns.length === 0 ? null : Object.fromEntries(columns) }
    }
    case 'evaluate':
      return { ...draft, model: draft.model || null }
    case 'train':
      return trainOf(project, draft)
    case 'set_alias':
      return { ...draft, gate: [...draft.gate] }
    case 'notify':
      return { ...draft, message: draft.message.trim() === '' ? null : draft.message }
    default:
      return draft
  }
}

type Train = Extract<Action, { type: 'train' }>
type TrainDraft = Extract<ActionDraft, { type: 'train' }>

function trainDraftOf(project: string, action: Train): TrainDraft {
  const { model, method, training_data: data, config, experimental_config: experimental } = action
  const { method: kind, ...options } = config ?? {}
  const rest = method === 'rl' ? experimental : options
  const more = {
    kind: method === 'rl' ? method : (kind ?? 'sft'),
    config: rest === null || Object.keys(rest).length === 0 ? '' : indented(rest),
  }
  const base = { type: 'train', model, dataset: '', data: '', ...more } as const
  if (data === null) return { ...base, from: 'version' }
  const dataset = newestNamed(project, data)
  return dataset === undefined
    ? { ...base, from: 'json', data: indented(data) }
    : { ...base, from: 'dataset', dataset }
}

/** The dataset whose newest version is all that the source says. */
function newestNamed(project: string, data: NonNullable<Train['training_data']>): string | undefined {
  const { dataset: ref, keep_duplicates: same, sessions, ...others } = data
  if (typeof ref !== 'string' || same || sessions) return undefined
  if (Object.values(others).some((one) => one !== null && one !== undefined)) return undefined
  const [begin, end] = objectRef(project, ' ').split('%20')
  if (!ref.startsWith(begin!) || !ref.endsWith(end!)) return undefined
  const name = ref.slice(begin!.length, -end!.length)
  return /[:/]/.test(name) ? undefined : decodeURIComponent(name)
}

function trainOf(project: string, draft: TrainDraft): RuleSave['actions'][number] | undefined {
  const { model, kind, from, dataset, data, config } = draft
  if (jsonProblem(config, 'object') !== undefined) return undefined
  if (from === 'json' && (data.trim() === '' || jsonProblem(data, 'object') !== undefined)) return undefined
  const options = config.trim() === '' ? null : (parseJson(config) as object)
  const sources = {
    version: () => null,
    dataset: () => ({ dataset: objectRef(project, dataset) }),
    json: () => parseJson(data) as object,
  }
  const common = { type: 'train', model, training_data: sources[from]() } as const
  if (kind === 'rl') return { ...common, method: 'rl', config: null, experimental_config: options }
  const sft = kind === 'sft' ? options : { ...options, method: kind }
  return { ...common, method: 'sft', config: sft, experimental_config: null }
}

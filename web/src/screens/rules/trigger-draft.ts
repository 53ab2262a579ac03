/** What sets off a rule, from the service to the form and back. Pure. */
import { commaList } from '../../ui/comma-list'
import { savedWhere, whereIn } from '../traces/condition'
import type { Kind, OnScore, Trigger, TriggerDraft } from './draft'

export function triggerDraftOf(trigger: Trigger): TriggerDraft {
  switch (trigger.type) {
    case 'call':
      return { type: 'call', ops: (trigger.op_names ?? []).join(', '), ...whereIn(trigger) }
    case 'turn':
      return { type: 'turn', ...whereIn(trigger) }
    case 'score':
      return { ...trigger, monitor: trigger.monitor ?? '', ...valueTextOf(trigger.value) }
    case 'alias':
      return { type: 'alias', object: trigger.object ?? '', alias: trigger.alias ?? '' }
    case 'dataset_version':
      return { type: 'dataset_version', dataset: trigger.dataset ?? '' }
    case 'evaluation':
      return { type: 'evaluation', evaluation: trigger.evaluation ?? '' }
    case 'training_job':
      return { ...trigger, model: trigger.model ?? '' }
  }
}

function valueTextOf(value: OnScore['value']): { kind: Kind; value: string } {
  if (value === null) return { kind: 'any', value: '' }
  const kinds = { number: 'number', boolean: 'boolean', string: 'text' } as const
  return { kind: kinds[typeof value as keyof typeof kinds], value: String(value) }
}

/** undefined: a part of it is missing, or can't be read */
export function triggerOf(draft: TriggerDraft): Trigger | undefined {
  switch (draft.type) {
    case 'call': {
      const which = savedWhere(draft)
      const ops = commaList(draft.ops)
      return which && { type: 'call', op_names: ops.length === 0 ? null : ops, ...which }
    }
    case 'turn': {
      const which = savedWhere(draft)
      return which && { type: 'turn', ...which }
    }
    case 'score': {
      const { kind, value: text, monitor, ...rest } = draft
      const value = comparedWith(kind, text)
      return value === undefined ? undefined : { ...rest, monitor: monitor || null, value }
    }
    case 'alias':
      return { type: 'alias', object: draft.object || null, alias: draft.alias || null }
    case 'dataset_version':
      return { type: 'dataset_version', dataset: draft.dataset || null }
    case 'evaluation':
      return { type: 'evaluation', evaluation: draft.evaluation || null }
    case 'training_job':
      return draft.statuses.length === 0 ? undefined : { ...draft, model: draft.model || null }
  }
}

function comparedWith(kind: Kind, text: string): OnScore['value'] | undefined {
  if (kind === 'any') return null
  if (kind === 'text') return text
  if (kind === 'boolean') return text === 'true'
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}

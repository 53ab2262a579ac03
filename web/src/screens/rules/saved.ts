/** A rule from the service to the form and back. Pure. */
import type { RuleDefinition, RulePreview, RuleSave } from '../../api/rules'
import { actionDraftOf, actionOf } from './action-draft'
import type { Draft } from './draft'
import { triggerDraftOf, triggerOf } from './trigger-draft'

export function draftOf(project: string, name: string, definition: RuleDefinition): Draft {
  const { description, trigger, actions, ...rest } = definition
  return {
    ...{ name, description: description ?? '', ...rest },
    trigger: triggerDraftOf(trigger),
    actions: actions.map((action) => actionDraftOf(project, action)),
  }
}

/** As the service takes it; undefined: a part of it can't be read. */
export function savedOf(project: string, draft: Draft): RuleSave | undefined {
  const { name, description, max_per_day, active } = draft
  const trigger = triggerOf(draft.trigger)
  const actions = draft.actions.flatMap((action) => actionOf(project, action) ?? [])
  if (trigger === undefined || max_per_day === null) return undefined
  if (actions.length === 0 || actions.length < draft.actions.length) return undefined
  return {
    ...{ project_id: project, name, description: description.trim() || null, max_per_day, active },
    ...{ trigger, actions },
  }
}

const NAME = /^[\w.-]{1,120}$/

/** undefined: something is missing. */
export function previewOf({
  name,
  trigger: draft,
}: Pick<Draft, 'name' | 'trigger'>): RulePreview | undefined {
  const trigger = triggerOf(draft)
  if (trigger === undefined || (trigger.type === 'score' && trigger.feedback_type === '')) return undefined
  // Which calls are in a sample goes by the name. Others are not read anew while a name is typed.
  const isSample = 'sampling_rate' in trigger && trigger.sampling_rate < 1
  return { trigger, ...(isSample && NAME.test(name) && { name }) }
}

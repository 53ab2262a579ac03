/** Publishes rules, as versions of objects. */
import type { RuleDefinition } from '../../contract/rules.js'
import { errors } from '../../platform/errors/catalog.js'
import { parseTree } from '../../platform/json/tree.js'
import { classValue } from '../evaluation/create.js'
import { authorOf, type EvaluationParts, type Requester } from '../evaluation/parts.js'
import { refOf } from '../evaluation/publish.js'
import { checkObjectId } from '../objects/create.js'
import { checkAliases } from '../objects/selection.js'
import { checkMessage } from './actions/notify.js'
import { circleThrough, type NamedRule } from './circle.js'
import { conditionOf } from './condition.js'
import { type KnownRule, objectOf } from './known.js'
import { ROOTS } from './row.js'
import { checkRule, RULE_CLASS } from './rule.js'

/**
 * Publishes a version of a rule that can be applied.
 * @param others the rules of the project @param channels names of its notification channels
 * @returns its ref @throws `INVALID_RULE` and `RULE_CIRCLE` (400), 404 for a channel that is not there
 */
export async function publishRule(
  parts: EvaluationParts,
  requester: Requester,
  name: string,
  definition: RuleDefinition,
  others: readonly KnownRule[],
  channels: readonly string[],
): Promise<string> {
  // One that was stored as an object may have another name than those that are saved.
  const object = others.find((one) => one.name === name)?.row.object_id ?? objectOf(name)
  checkRule(definition)
  conditionOf(definition.trigger, name, requester.project)
  for (const action of definition.actions) checkAction(action, channels)
  if (definition.active) checkCircle({ name, ...definition }, others)
  const members = Object.entries({ name, ...definition })
  const value = classValue(
    RULE_CLASS,
    members.map(([key, member]) => [key, parseTree(JSON.stringify(member))]),
  )
  const digest = await parts.publisher.object(authorOf(requester), object, value)
  return refOf(requester.project, 'object', object, digest)
}

function checkAction(action: RuleDefinition['actions'][number], channels: readonly string[]): void {
  if (action.type === 'add_to_dataset') {
    checkObjectId(action.dataset)
    for (const path of Object.values(action.columns ?? {})) {
      if (!ROOTS.includes(path.split('.', 1)[0]!))
        throw errors.invalidRule(`the path "${path}" begins with none of ${ROOTS.join(', ')}`)
    }
  }
  if (action.type === 'set_alias') checkAliases([action.alias])
  if (action.type !== 'notify') return
  if (!channels.includes(action.channel)) throw errors.notFound(`Notification channel ${action.channel}`)
  if (action.message !== null) checkMessage(action.message)
}

/** @throws `RULE_CIRCLE` (400) */
function checkCircle(rule: NamedRule, others: readonly KnownRule[]): void {
  const active = others.flatMap(({ name, definition }) =>
    definition?.active && name !== rule.name ? [{ name, ...definition }] : [],
  )
  const circle = circleThrough(rule, active)
  if (circle) throw errors.ruleCircle(circle)
}

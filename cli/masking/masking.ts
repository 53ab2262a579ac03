/** `heddle masking`: the rules of scopes, as a server has them. */

import type { DetectorName, MaskHow, MaskRule } from '../../contract/masking.js'
import * as contract from '../../contract/masking.js'
import { CommandError } from '../command.js'
import { answerIn, answerOf } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { readNamed } from '../named-file.js'
import { list, type Shown } from '../shown.js'

interface RuleOptions {
  detector?: DetectorName
  pattern?: string
  names?: string
  path?: string
  ignoreCase?: boolean
  how: MaskHow
  label?: string
}

/** What a rule is, without what the server fills in. */
type Given = Pick<MaskRule, 'name' | 'how'> & { [Name in keyof MaskRule]?: MaskRule[Name] | undefined }

/** The rules that hold in a scope. */
export async function maskingList(to: Target, scope: string): Promise<Shown> {
  const { own, wider } = await answerOf(to, contract.maskingQuery, { scope })
  const rules = [own, ...wider].flatMap((set) => set.rules.map((rule) => ({ scope: set.scope, ...rule })))
  return list(
    rules,
    ['SCOPE', 'NAME', 'MASKS', 'AS', 'LABEL'],
    (rule) => [rule.scope, rule.name, whatOf(rule), rule.how, rule.label ?? ''],
    'nothing is masked; `heddle masking set` makes a rule',
  )
}

function whatOf({ detector, pattern, names, path }: MaskRule): string {
  if (detector !== null) return detector
  if (pattern !== null) return `/${pattern}/`
  return names === null ? (path ?? '') : `${names.length} names`
}

/** Makes a rule of a scope, or replaces the one of this name. */
export async function setRule(to: Target, scope: string, name: string, options: RuleOptions): Promise<Shown> {
  const rule = ruleOf(name, options)
  if (rule === undefined) throw new CommandError('name one of --detector, --pattern, --names and --path', 2)
  await change(to, scope, (rules) =>
    rules.some((one) => one.name === name)
      ? rules.map((one) => (one.name === name ? rule : one))
      : [...rules, rule],
  )
  return { value: rule, text: `${name} holds in ${scope} within 10 s, for what is stored from then on\n` }
}

/** Takes a rule back. */
export async function removeRule(to: Target, scope: string, name: string): Promise<Shown> {
  await change(to, scope, (rules) => {
    const left = rules.filter((rule) => rule.name !== name)
    if (left.length === rules.length) throw new CommandError(`${scope} has no rule ${name}`)
    return left
  })
  return {
    value: { scope, name },
    text: `${name} no longer holds in ${scope}; what it has masked stays so\n`,
  }
}

/** Changes the rules of a scope, unless somebody else does meanwhile. */
async function change(to: Target, scope: string, made: (rules: Given[]) => Given[]): Promise<void> {
  const { own } = await answerOf(to, contract.maskingQuery, { scope })
  const rules = made(own.rules)
  await answerOf(to, contract.maskingSave, { scope, rules, expected_version: own.version })
}

/** The rule that options describe; undefined: none does. */
function ruleOf(name: string, options: RuleOptions): Given | undefined {
  const { detector, pattern, names, path, ignoreCase, how, label } = options
  if ([detector, pattern, names, path].every((one) => one === undefined)) return undefined
  const words = names === undefined ? undefined : readNamed(names).toString('utf8').split('\n')
  return {
    ...{ name, how, detector, pattern, path, label },
    names: words?.map((word) => word.trim()).filter((word) => word !== ''),
    ignore_case: ignoreCase || undefined,
  }
}

/** What rules would change of the newest calls. */
export async function previewRules(
  to: Target,
  project: string,
  { calls, ...options }: RuleOptions & { calls: number },
): Promise<Shown> {
  const rule = ruleOf('preview', options)
  const asked = { calls, rules: rule && [rule] }
  const found = await answerIn(to, project, contract.maskingPreview, asked)
  const rules = list(found.rules, ['RULE', 'SCOPE', 'MATCHES'], (one) => [
    one.name,
    one.scope,
    String(one.matches),
  ])
  const examples = found.examples.map(
    ({ call_id, field, before, after }) => `\n${call_id} ${field}\n  - ${before}\n  + ${after}\n`,
  )
  return {
    value: found,
    text: `${found.changed} of the newest ${found.calls} calls would be stored otherwise\n\n${rules.text}${examples.join('')}`,
  }
}

/** How often rules have masked something. */
export async function maskingCounts(to: Target, scope: string, { days }: { days: number }): Promise<Shown> {
  const { counts } = await answerOf(to, contract.maskingCounts, { scope, days })
  return list(
    counts,
    ['DAY', 'SCOPE', 'RULE', 'MATCHES'],
    (one) => [one.day, one.scope, one.rule, String(one.matches)],
    'nothing was masked',
  )
}

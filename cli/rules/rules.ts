/** `heddle rules`: what is done by itself when something happens. */
import * as contract from '../../contract/rules.js'
import { answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { list, type Shown, timeText } from '../shown.js'
import { say } from '../subcommand.js'
import { type RuleOptions, ruleOf, type TriggerOptions, triggerOf } from './definition.js'

/** The rules, and what they matched. */
export async function ruleList(to: Target, project: string): Promise<Shown> {
  const { rules } = await answerIn(to, project, contract.rulesQuery)
  return list(
    rules,
    ['NAME', 'STATE', 'ON', 'ACTIONS', 'MATCHED', 'TODAY', 'SKIPPED TODAY', 'LAST', 'PROBLEM'],
    ({ name, definition, matched, matched_today, skipped_today, last_run_at, problem }) => [
      name,
      definition?.active ? 'on' : 'off',
      definition?.trigger.type ?? '',
      definition?.actions.map(({ type }) => type).join(', ') ?? '',
      ...[matched, matched_today, skipped_today].map((count) => count.toLocaleString('en-US')),
      last_run_at === null ? '' : timeText(last_run_at),
      problem ?? '',
    ],
    'none; `heddle rules create` makes one',
  )
}

/** Makes a rule, or a new version of one. */
export async function createRule(
  to: Target,
  project: string,
  name: string,
  options: RuleOptions,
): Promise<Shown> {
  const made = await answerIn(to, project, contract.ruleSave, { ...ruleOf(options), name })
  return { value: made, text: `${made.ref}\n` }
}

const switching = (active: boolean) => async (to: Target, project: string, rule: string) => {
  const made = await answerIn(to, project, contract.ruleActivate, { rule, active })
  say(`${rule} is ${active ? 'on' : 'off'} now`)
  return { value: made, text: `${made.ref}\n` }
}
export const startRule = switching(true)
export const stopRule = switching(false)

/** Deletes a rule. */
export async function deleteRule(to: Target, project: string, rule: string): Promise<Shown> {
  const gone = await answerIn(to, project, contract.ruleDelete, { rule })
  return { value: gone, text: `${gone.name} is deleted\n` }
}

/** What would have set off a rule. */
export async function previewRule(
  to: Target,
  project: string,
  { days, ...options }: TriggerOptions & { days: number },
): Promise<Shown> {
  const found = await answerIn(to, project, contract.rulePreview, { trigger: triggerOf(options), days })
  const head = `would have matched ${found.matched.toLocaleString('en-US')} in the last ${days} days\n`
  const { text } = list(found.newest, ['TIME', 'WHAT', 'NAME', 'ID', 'DETAIL'], ({ at, subject }) => [
    timeText(at),
    ...cellsOf(subject),
  ])
  return { value: found, text: found.newest.length === 0 ? head : `${head}${text}` }
}

const cellsOf = ({ type, name, id, detail }: contract.RuleSubject) => [type, name, id, detail ?? '']

/** What rules did, a line for each action. */
export async function ruleRuns(
  to: Target,
  project: string,
  rule: string | undefined,
  { state, limit }: { state?: string; limit: number },
): Promise<Shown> {
  const { runs } = await answerIn(to, project, contract.ruleRuns, { rule, state, limit })
  const rows = runs.flatMap(({ actions, ...run }) => actions.map((action) => ({ run, action })))
  const shown = list(
    rows,
    ['TIME', 'RULE', 'WHAT', 'NAME', 'ACTION', 'STATE', 'RESULT', 'RUN'],
    ({ run: { at, rule: name, subject, id }, action }) => [
      ...[timeText(at), name, subject.type, subject.name, action.type, action.state],
      action.problem ?? action.result ?? '',
      id,
    ],
    'none yet',
  )
  return { value: runs, text: shown.text }
}

/** Tries the failed actions of a rule again. */
export async function retryRule(
  to: Target,
  project: string,
  rule: string,
  { run }: { run?: string },
): Promise<Shown> {
  const done = await answerIn(to, project, contract.ruleRetry, { rule, run })
  return { value: done, text: `${done.retried} actions are tried again\n` }
}

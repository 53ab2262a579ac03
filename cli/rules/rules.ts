/** `heddle rules`: what is done by itself when something happens. */
import type { RuleDefinition, RuleSubject } from '../../contract/rules.js'
import { projectNamed, sendJson, type Target } from '../http-client.js'
import { list, type Shown, timeText } from '../shown.js'
import { say } from '../subcommand.js'
import { type RuleOptions, ruleOf, type TriggerOptions, triggerOf } from './definition.js'

interface Rule {
  name: string
  definition: Pick<RuleDefinition, 'trigger' | 'actions' | 'active'> | null
  matched: number
  matched_today: number
  skipped_today: number
  last_run_at: string | null
  problem: string | null
}

export async function ruleList(to: Target, project: string): Promise<Shown> {
  const body = { project_id: projectNamed(project) }
  const { rules } = await sendJson<{ rules: Rule[] }>(to, '/rules/query', body)
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

export async function createRule(
  to: Target,
  project: string,
  name: string,
  options: RuleOptions,
): Promise<Shown> {
  const body = { ...ruleOf(options), project_id: projectNamed(project), name }
  const made = await sendJson<{ ref: string }>(to, '/rules/save', body)
  return { value: made, text: `${made.ref}\n` }
}

export async function activateRule(
  to: Target,
  project: string,
  rule: string,
  active: boolean,
): Promise<Shown> {
  const body = { project_id: projectNamed(project), rule, active }
  const made = await sendJson<{ ref: string }>(to, '/rules/activate', body)
  say(`${rule} is ${active ? 'on' : 'off'} now`)
  return { value: made, text: `${made.ref}\n` }
}

export async function deleteRule(to: Target, project: string, rule: string): Promise<Shown> {
  const body = { project_id: projectNamed(project), rule }
  const gone = await sendJson<{ name: string }>(to, '/rules/delete', body)
  return { value: gone, text: `${gone.name} is deleted\n` }
}

interface Preview {
  matched: number
  newest: { at: string; subject: RuleSubject }[]
}

export async function previewRule(
  to: Target,
  project: string,
  options: TriggerOptions & { days: number },
): Promise<Shown> {
  const { days } = options
  const body = { project_id: projectNamed(project), trigger: triggerOf(options), days }
  const found = await sendJson<Preview>(to, '/rules/preview', body)
  const head = `would have matched ${found.matched.toLocaleString('en-US')} in the last ${days} days\n`
  const { text } = list(found.newest, ['TIME', 'WHAT', 'NAME', 'ID', 'DETAIL'], ({ at, subject }) => [
    timeText(at),
    ...cellsOf(subject),
  ])
  return { value: found, text: found.newest.length === 0 ? head : `${head}${text}` }
}

const cellsOf = ({ type, name, id, detail }: RuleSubject) => [type, name, id, detail ?? '']

interface Run {
  id: string
  rule: string
  at: string
  subject: RuleSubject
  actions: { type: string; state: string; result: string | null; problem: string | null }[]
}

export async function ruleRuns(
  to: Target,
  project: string,
  rule: string | undefined,
  { state, limit }: { state?: string; limit: number },
): Promise<Shown> {
  const body = { project_id: projectNamed(project), rule: rule ?? null, state: state ?? null, limit }
  const { runs } = await sendJson<{ runs: Run[] }>(to, '/rules/runs', body)
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

export async function retryRule(
  to: Target,
  project: string,
  rule: string,
  run: string | undefined,
): Promise<Shown> {
  const body = { project_id: projectNamed(project), rule, run: run ?? null }
  const done = await sendJson<{ retried: number }>(to, '/rules/retry', body)
  return { value: done, text: `${done.retried} actions are tried again\n` }
}

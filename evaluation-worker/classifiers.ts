/** Asks a model about a call once for all classifiers of a monitor; the scorer of each takes its own answer. */
import type { Rule, ScorerPlan } from '../domain/evaluation/plan.js'
import type { JsonTree } from '../platform/json/tree.js'
import type { Said, Scored } from './answer.js'
import { RowFailure } from './failure.js'
import type { CallRow } from './reads.js'
import type { ScoredCall } from './remote.js'

type ClassifierRule = Extract<Rule, { kind: 'classifier' }>

/** Letters of each text that a model is shown. */
const MOST_SHOWN = 50_000

/** Those of one job. */
export class Classifiers {
  /** by monitor and call */
  private readonly asked = new Map<string, { said: Promise<Said>; isPaid: boolean }>()

  /** @param ask the model, with these messages */
  constructor(
    private readonly ask: (rule: ClassifierRule, messages: JsonTree[], signal: AbortSignal) => Promise<Said>,
  ) {}

  /** @returns `{value, confidence, reason}`; the first one has the usage of the request @throws RowFailure */
  async score(
    { name }: ScorerPlan,
    rule: ClassifierRule,
    { call, monitor }: Pick<ScoredCall, 'call' | 'monitor'>,
    signal: AbortSignal,
  ): Promise<Scored> {
    const key = `${monitor?.ref ?? ''} ${call.id}`
    const one = this.asked.get(key) ?? {
      said: this.ask(rule, [classifierQuestion(rule, call)], signal),
      isPaid: false,
    }
    this.asked.set(key, one)
    const { output, model, usage } = await one.said
    const value = answerOf(output, name)
    const isFirst = !one.isPaid
    one.isPaid = true
    return { value, usage: isFirst ? { [model]: usage } : {} }
  }
}

/** What a model is asked about a call. Pure. */
export function classifierQuestion({ classifiers }: ClassifierRule, call: CallRow): JsonTree {
  const parts = [
    ['operation', call.op_name],
    ['inputs', call.inputs],
    ['output', call.output],
    ['error', call.exception],
  ].flatMap(([part, text = '']) => (text === '' ? [] : [`<${part}>\n${cut(text)}\n</${part}>`]))
  const statements = classifiers.map(
    ({ name, prompt }) => `<statement name=${JSON.stringify(name)}>\n${prompt}\n</statement>`,
  )
  const example = '{"is_match": true, "confidence": 0.9, "reason": "…"}'
  const text = [
    'A program made the call below. Decide for each of the statements that follow whether it holds for this call. Go by what the call shows, and judge each statement by itself.',
    ...parts,
    ...statements,
    `Answer with one JSON object that has every statement by its name: {${classifiers
      .map(({ name }) => `${JSON.stringify(name)}: ${example}`)
      .join(
        ', ',
      )}}. is_match says whether it holds, confidence from 0 to 1 how sure you are, and reason in one sentence what in the call shows it.`,
  ].join('\n\n')
  return new Map<string, JsonTree>([
    ['role', 'user'],
    ['content', text],
  ])
}

const cut = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

/** What a model said of one classifier. Pure. @throws RowFailure if that is nothing */
export function answerOf(output: JsonTree, name: string): JsonTree {
  const all = memberOf(output, 'classifiers') ?? output
  const own = memberOf(all, name)
  const match = own === undefined ? undefined : memberOf(own, 'is_match')
  if (own === undefined || typeof match !== 'boolean')
    throw new RowFailure('NO_SCORE', `The model did not say whether ${name} holds.`)
  return new Map<string, JsonTree>([
    ['value', match],
    ['confidence', memberOf(own, 'confidence') ?? null],
    ['reason', memberOf(own, 'reason') ?? null],
  ])
}

const memberOf = (value: JsonTree, name: string): JsonTree | undefined =>
  value instanceof Map ? value.get(name) : undefined

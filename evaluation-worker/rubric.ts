/** Asks a judge to score answers by a rubric. */
import type { RubricRule } from '../domain/evaluation/plan.js'
import { type AnswerScore, againMessages, readScores, rubricMessages } from '../domain/evaluation/rubric.js'
import { type JsonTree, treeText, treeValue } from '../platform/json/tree.js'
import { type Usage, UsageSums } from './answer.js'
import { RowFailure } from './failure.js'
import { treeOf } from './judge.js'
import type { Models } from './models.js'

/** An answer that can't be used is asked for once more. */
const TRIES = 2

/**
 * The scores of `answers` to one question, in one request. A judge whose answer can't be used is told why and asked once more.
 * @returns with what both requests used
 * @throws RowFailure, also with what was used
 */
export async function rubricScores(
  models: Pick<Models, 'ask'>,
  rule: RubricRule,
  question: readonly unknown[],
  answers: readonly unknown[],
  signal: AbortSignal,
): Promise<{ scores: AnswerScore[]; usage: Record<string, Usage> }> {
  const used = new UsageSums()
  const first = [...rule.model.messages, ...rubricMessages(rule, question, answers)]
  let messages = first
  let failure = new RowFailure('BAD_SCORES', 'The judge was not asked.')
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const said = await models.ask(rule.model, messages.map(treeOf), signal)
      used.add({ [said.model]: said.usage })
      const scores = readScores(rule, answers.length, treeValue(said.output))
      if (typeof scores !== 'string') return { scores, usage: used.result() }
      const fault = `The judge's scores can't be used: ${scores}.`
      failure = new RowFailure('BAD_SCORES', fault, treeText(said.output))
    } catch (error) {
      if (!(error instanceof RowFailure)) throw error
      used.add(error.usage)
      failure = error
      if (error.raw === undefined) break
    }
    const fault = failure.message.replace(/\.$/, '')
    messages = [...first, ...againMessages(failure.raw ?? '', fault)]
  }
  failure.usage = used.result()
  throw failure
}

/** What a row of a dataset or a call asks: its messages, else its `user_input`, else the row itself. */
export function askedIn(row: ReadonlyMap<string, JsonTree>): unknown[] {
  const asked = treeValue(row.get('messages') ?? row.get('user_input') ?? new Map(row))
  return Array.isArray(asked) ? asked : [asked]
}

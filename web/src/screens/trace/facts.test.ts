import { describe, expect, it } from 'vitest'
import { bareName, factsOf } from './facts'

const usage = { 'gpt-4o': { prompt_tokens: 10, completion_tokens: 2, requests: 1, total_cost: 0.5 } }

describe('the facts of a call', () => {
  it('are its model, tokens, price and scores', () => {
    const price = { prompt_tokens_total_cost: 0.1, completion_tokens_total_cost: 0.2, prompt_token_cost: 9 }
    const feedback = [
      { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
      { feedback_type: 'wandb.note.1', payload: { note: 'x' } },
      { feedback_type: 'wandb.runnable.exact', payload: { output: true } },
      { feedback_type: 'wandb.annotation.quality', payload: { value: 0.8 } },
      { feedback_type: 'wandb.runnable.parts', payload: { output: { a: 1 } } },
    ]
    const weave = { costs: { 'gpt-4o': price }, feedback, time_to_first_token_ms: 12 }
    const { cost, ...rest } = factsOf('ask', { usage, weave })
    expect(cost).toBeCloseTo(0.3)
    expect(rest).toEqual({
      ...{ kind: 'model', model: 'gpt-4o', tokens: 12, firstToken: 12 },
      scores: ['👍', 'note', 'exact true', 'quality 0.8', 'parts'],
    })
  })
  it('are what its sender says it cost, where no price is known', () =>
    expect(factsOf('ask', { usage }).cost).toBe(0.5))
  it.each([null, {}, { usage: {} }])('of %j are none', (summary) =>
    expect(factsOf('main', summary)).toEqual({ kind: 'step', scores: [] }),
  )
})

it.each([
  ['invoke_agent Weather', 'agent', 'Weather'],
  ['execute_tool rain', 'tool', 'rain'],
  ['chat gpt-4o', 'model', 'gpt-4o'],
  ['chat', 'step', 'chat'],
  ['tool', 'step', 'tool'],
])('the name %j is of a %s', (name, kind, bare) => {
  expect(factsOf(name, null).kind).toBe(kind)
  expect(bareName(name)).toBe(bare)
})

it('what the attributes say comes first', () =>
  expect(factsOf('chat gpt-4o', { usage }, 'tool').kind).toBe('tool'))

import { describe, expect, it } from 'vitest'
import type { ModelPlan } from '../domain/evaluation/plan.js'
import { parseTree, treeText } from '../platform/json/tree.js'
import { schemaCheck } from '../platform/json-schema/check.js'
import { outputOf, UsageSums, usageOf } from './answer.js'
import { RowFailure } from './failure.js'

const plan: ModelPlan = {
  ...{ name: 'm', at: 'provider', reads: [], messages: [], params: {} },
  ...{ format: 'text', schema: null },
}
const asJson: ModelPlan = { ...plan, format: 'json' }
const answer = (content: unknown) =>
  parseTree(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
const failure = (work: () => unknown): RowFailure => {
  try {
    work()
  } catch (error) {
    if (error instanceof RowFailure) return error
    throw error
  }
  throw new Error('nothing failed')
}

describe('an output', () => {
  it('is the text, also one in parts', () => {
    expect(outputOf(answer('Paris'), plan, undefined)).toBe('Paris')
    expect(
      outputOf(
        answer([
          { type: 'text', text: 'Pa' },
          { type: 'text', text: 'ris' },
        ]),
        plan,
        undefined,
      ),
    ).toBe('Paris')
  })

  it('is JSON if requested, with its numbers unchanged, also in a fence', () => {
    expect(treeText(outputOf(answer('{"n": 1.0}'), asJson, undefined))).toBe('{"n":1.0}')
    expect(treeText(outputOf(answer('```json\n[1]\n```'), asJson, undefined))).toBe('[1]')
  })

  it('is an error with the model’s answer if that is something else', () => {
    const check = schemaCheck('{"type":"object","required":["a"]}')
    expect(failure(() => outputOf(answer('no'), asJson, undefined))).toMatchObject({
      ...{ code: 'NOT_JSON', raw: 'no' },
      exception: expect.stringMatching(/^NOT_JSON: .*\nIt said: no$/s),
    })
    expect(failure(() => outputOf(answer('{}'), asJson, check))).toMatchObject({
      ...{ code: 'BAD_OUTPUT', raw: '{}' },
      message: expect.stringContaining("required property 'a'"),
    })
    expect(failure(() => outputOf(answer(null), plan, undefined)).code).toBe('NO_TEXT')
    expect(failure(() => outputOf(parseTree('{"x":1}'), plan, undefined))).toMatchObject({
      ...{ code: 'BAD_ANSWER', raw: '{"x":1}' },
    })
  })

  it('keeps no more of the answer than fits an error', () => {
    const long = failure(() => outputOf(answer('x'.repeat(50_000)), asJson, undefined))
    expect(long.exception.length).toBeLessThan(11_000)
  })
})

describe('usage', () => {
  it('is counted, and summed up by model', () => {
    const usage = usageOf(parseTree('{"usage":{"prompt_tokens":3,"total_tokens":5,"completion_tokens":-1}}'))
    expect(usage).toEqual({ requests: 1, prompt_tokens: 3, total_tokens: 5 })
    expect(usageOf(null)).toEqual({ requests: 1 })
    const all = new UsageSums()
    all.add({ a: usage })
    all.add({ a: usage, b: { requests: 1 } })
    expect(all.result()).toEqual({
      a: { requests: 2, prompt_tokens: 6, total_tokens: 10 },
      b: { requests: 1 },
    })
  })
  it('is that of a model, whatever callers call it and write', () => {
    const all = new UsageSums()
    all.add(JSON.parse('{"__proto__":{"toString":1},"b":{"constructor":2,"text":"3"},"c":null}'))
    all.add(null)
    expect(JSON.stringify(all.result())).toBe('{"__proto__":{"toString":1},"b":{"constructor":2},"c":{}}')
    expect(String({})).toBe('[object Object]')
  })
})

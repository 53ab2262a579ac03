import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameless, rowText } from './assemble.js'
import type { ChildRow, TrialRow } from './detail.js'

const trial = (more: Partial<TrialRow> = {}): TrialRow => ({
  ...{
    id: 't',
    run: 'r',
    started: 1,
    inputs: '',
    output: '',
    attributes: '',
    tokens: null,
    cost: null,
    ended: 1,
  },
  ...more,
})
const child = (op: string, more: Partial<ChildRow> = {}): ChildRow => ({
  ...{ id: op, trial: 't', started: 2, seconds: 0.5, op_name: `weave:///a/b/op/${op}:v` },
  ...{ scorer: '', spans: '', tokens: null, cost: null },
  ...more,
})
const MODELS = new Map([['r', 'weave:///a/b/op/model:v']])

function assembled(one: TrialRow, children?: ChildRow[], selves = new Map<string, string>()) {
  const row = { digest: 'd', data: undefined, trials: [one] }
  const text = rowText(row, MODELS, children && new Map([['t', children]]), selves)
  return { text, trial: JSON.parse(text).evaluations[0].trials[0] }
}
const scored = (scores: object, more: object = {}) => JSON.stringify({ output: 1, scores, ...more })

describe('the prediction among the calls of a trial', () => {
  it.each([
    ['the one that the trial names', [child('a'), child('b')], 'b'],
    ['the op that the model is', [child('prepare'), child('model')], 'model'],
    ['a method that answers', [child('prepare'), child('M.predict')], 'M.predict'],
    ['what begins first and is no score', [child('x.score'), child('exact'), child('other')], 'other'],
    ['nothing', [child('x.score')], null],
  ])('%s', (name, children, id) => {
    const attributes = name.startsWith('the one') ? '{"weave":{"predict_call_id":"b"}}' : ''
    expect(
      assembled(trial({ output: scored({ exact: 1 }), attributes }), children).trial.predict_call_id,
    ).toBe(id)
  })
})

describe('the calls of scores', () => {
  const children = [child('M.predict'), child('exact'), child('Judge.score'), child('Length.score')]

  it('are named like them, or made on an object of their name, or all that is left', () => {
    const one = trial({ output: scored({ exact: 1, Judge: 2, mine: 3 }) })
    expect(nameless([one], new Map([['t', children]]))).toEqual([])
    expect(assembled(one, children).trial.scorer_call_ids).toEqual({
      ...{ exact: 'exact', Judge: 'Judge.score', mine: 'Length.score' },
    })
  })

  it('whose names tell nothing are looked up', () => {
    const one = trial({ output: scored({ first: 1, second: 2 }) })
    expect(nameless([one], new Map([['t', children]])).map(({ id }) => id)).toEqual([
      'Judge.score',
      'Length.score',
    ])
    const selves = new Map([
      ['Judge.score', 'weave:///a/b/object/second:v'],
      ['Length.score', 'weave:///a/b/object/first:v'],
    ])
    expect(assembled(one, children, selves).trial.scorer_call_ids).toEqual({
      ...{ first: 'Length.score', second: 'Judge.score' },
    })
  })
})

describe('what a trial says', () => {
  it.each([
    ['a number', '{"model_latency":0.25}', 0.25],
    ['a mean', '{"model_latency":{"mean":2}}', 2],
    ['nothing: the prediction tells', '{"model_latency":null}', 0.5],
    ['nothing at all', '', 0.5],
  ])('latency: %s', (_, output, seconds) =>
    expect(assembled(trial({ output }), [child('M.predict')]).trial.model_latency_seconds).toBe(seconds),
  )

  it('output of the npm SDK', () =>
    expect(assembled(trial({ output: '{"model_output":"x"}' })).trial.model_output).toBe('x'))

  it('user data passes as it was written', () => {
    const { text } = assembled(
      trial({ output: '{"output":{"a":1.0,"b":1e400},"scores":{"s":12345678901234567890}}' }),
    )
    expect(text).toContain('"model_output":{"a":1.0,"b":1e400}')
    expect(text).toContain('"scores":{"s":12345678901234567890}')
  })

  it('any output of any trial makes JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (output, scores) => {
        const { trial: found } = assembled(trial({ output: JSON.stringify({ output, scores }) }), [])
        expect(found.model_output).toEqual(JSON.parse(JSON.stringify(output)))
        expect(found.scores).toEqual(JSON.parse(JSON.stringify(scores)))
      }),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { experimentIdOf, itemCalls, type Run, type RunItem, runIdOf, saidValue } from './item.js'

const key = { project: 'acme/one', dataset: 'd', name: 'first' }
const run: Run = { ...key, experiment: experimentIdOf(key), description: null, metadata: 'null' }
const item: RunItem = {
  ...{ item: 'i', trace: 't', observation: 'o', example: '{"input":1}', row: 'digest', started: 5 },
  answer: undefined,
}
const answer = { started: 10, ended: 30, input: '1', output: '{"x":1.0}', exception: '', scores: [] }

it('the id of a run is the one that SDKs compute', () => {
  // sha256 of ["langfuse-experiment-v1","acme/one","d","first"]
  expect(experimentIdOf(key)).toBe('a225a037d42be6fd')
})

describe('the calls of an item', () => {
  it('of which nothing is known are a trial that runs', () => {
    const [trial, ...others] = itemCalls(run, 'e', item)
    expect(others).toEqual([])
    expect(trial).toMatchObject({ parentId: runIdOf(run), end: undefined, startedAt: 5 })
    expect(JSON.parse(trial!.inputs)).toEqual({ self: 'e', model: 'first', example: { input: 1 } })
  })

  it('that has ended are a trial, a prediction and scores; values stay as they were written', () => {
    const scores = [{ name: 'a b/c', value: '0.50' }]
    const [trial, prediction, score] = itemCalls(run, 'e', { ...item, answer: { ...answer, scores } })
    expect(trial!.end).toEqual({
      ...{ endedAt: 30, exception: '' },
      output: '{"output":{"x":1.0},"scores":{"a b/c":0.50},"model_latency":{"mean":0.00002}}',
    })
    expect(prediction).toMatchObject({ parentId: trial!.id, startedAt: 10, end: { output: '{"x":1.0}' } })
    expect(score).toMatchObject({ parentId: trial!.id, opName: 'a_b_c.score', end: { output: '0.50' } })
    expect(JSON.parse(trial!.attributes).weave.predict_call_id).toBe(prediction!.id)
  })

  it('are the same whichever way the item is known', () => {
    const ids = (one: RunItem) => itemCalls(run, 'e', one).map(({ id }) => id)
    expect(ids({ ...item, answer }).slice(0, 1)).toEqual(ids({ ...item, trace: 'other', started: 99 }))
  })

  it('an end before the start is no time', () => {
    const [trial] = itemCalls(run, 'e', { ...item, answer: { ...answer, ended: 9 } })
    expect(trial!.end?.output).toContain('"mean":0}')
  })
})

it.each([
  ['"24"', '24'],
  ['"-1.5e3"', '-1.5e3'],
  ['"true"', 'true'],
  ['"null"', 'null'],
  ['"24 apples"', '"24 apples"'],
  ['"007"', '"007"'],
  ['{"a":1.0}', '{"a":1.0}'],
  ['', ''],
])('a span that says %s means %s', (said, value) => expect(saidValue(said)).toBe(value))

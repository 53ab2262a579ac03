/** The rows that calls become. */
import { describe, expect, it } from 'vitest'
import { rowOf } from './row.js'

const call = {
  ...{ id: 'c1', trace_id: 't1', op_name: 'answer', exception: '' },
  ...{ inputs: '{"q":"Why \\"so\\"?","n":1.0}', output: '[1.50,"x"]', attributes: '{}', summary: '' },
}

describe('a row', () => {
  it('has inputs and output as they came, to the digit', () => {
    expect(rowOf(call, null)).toBe('{"inputs":{"q":"Why \\"so\\"?","n":1.0},"output":[1.50,"x"]}')
    expect(rowOf({ ...call, output: '' }, null)).toContain('"output":null')
  })

  it('has what the paths of its columns name, and null for what is not there', () => {
    const columns = {
      question: 'inputs.q',
      n: 'inputs.n',
      who: 'op_name',
      why: 'exception',
      no: 'inputs.none',
      s: 'summary',
    }
    expect(rowOf(call, columns)).toBe(
      '{"question":"Why \\"so\\"?","n":1.0,"who":"answer","why":null,"no":null,"s":null}',
    )
  })
})

/** The oracle itself: it must see what is lost, changed, doubled or made up, and accept either side of a doubt. */
import { describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { Ledger } from './ledger.js'

const row = (id: string, more: Row = {}): Row => ({
  trace_id: 't',
  id,
  op_name: 'op',
  inputs: { b: 1, a: 2 },
  ...more,
})
const effect = (id: string, expected: object | null) => new Map([[`t/${id}`, expected as Row | null]])

/** A ledger where one call was acknowledged. */
function acknowledged(expected: object | null): Ledger {
  const ledger = new Ledger()
  ledger.sending(effect('1', expected))
  ledger.acknowledge(effect('1', expected))
  return ledger
}

describe('an acknowledged call', () => {
  const ledger = acknowledged({ op_name: 'op', inputs: { a: 2, b: 1 } })

  it('is well when it reads back, whatever the order of keys and the fields nobody wrote', () => {
    expect(ledger.judge([row('1', { display_name: null })])).toEqual([])
  })

  it.each([
    ['lost', []],
    ['doubled', [row('1'), row('1')]],
    ['changed', [row('1', { inputs: { a: 2, b: 3 } })]],
    ['in company of one that nobody sent', [row('1'), row('2')]],
  ])('is not when it is %s', (_name, rows) => {
    expect(ledger.judge(rows)).toHaveLength(1)
  })
})

describe('a deleted call', () => {
  it('must be gone', () => {
    const ledger = acknowledged(null)
    expect(ledger.judge([])).toEqual([])
    expect(ledger.judge([row('1')])).toHaveLength(1)
  })
})

describe('a call with a request under way', () => {
  it('may be as before or as after, and nothing else', () => {
    const ledger = acknowledged({ op_name: 'before' })
    ledger.sending(effect('1', { op_name: 'after' }))
    expect(ledger.judge([row('1', { op_name: 'before' })])).toEqual([])
    expect(ledger.judge([row('1', { op_name: 'after' })])).toEqual([])
    expect(ledger.judge([row('1', { op_name: 'other' })])).toHaveLength(1)
    expect(ledger.judge([])).toHaveLength(1)
  })

  it('may be both for a moment, and not longer', () => {
    const ledger = acknowledged({ op_name: 'before' })
    ledger.sending(effect('1', { op_name: 'after' }))
    const both = [row('1', { op_name: 'after' }), row('1', { op_name: 'before' })]
    expect(ledger.judge(both, false)).toEqual([])
    expect(ledger.judge(both)).toHaveLength(1)
  })

  it('may be there or not when it is the first', () => {
    const ledger = new Ledger()
    ledger.sending(effect('1', { op_name: 'op' }))
    expect(ledger.judge([])).toEqual([])
    expect(ledger.judge([row('1')])).toEqual([])
  })
})

describe('the derived part of the summary', () => {
  it('is nobody’s promise', () => {
    const ledger = acknowledged({ summary: { usage: {} } })
    expect(ledger.judge([row('1', { summary: { usage: {}, weave: { status: 'success' } } })])).toEqual([])
  })
})

describe('a call whose end came first, while its start is under way', () => {
  const ledger = acknowledged(null)
  ledger.sending(effect('1', { op_name: 'op', ended_at: 'then' }))

  it('may for a moment be running, and no longer', () => {
    const running = [row('1', { ended_at: null })]
    expect(ledger.judge(running, false)).toEqual([])
    expect(ledger.judge(running)).toHaveLength(1)
  })

  it('is never another call', () => {
    expect(ledger.judge([row('1', { op_name: 'other', ended_at: null })], false)).toHaveLength(1)
  })
})

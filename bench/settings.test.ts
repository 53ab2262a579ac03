import { describe, expect, it } from 'vitest'
import { PARTS, settingsFrom } from './settings.js'

describe('settings of a run', () => {
  it('all parts by default', () => {
    expect(settingsFrom({})).toEqual({
      parts: PARTS,
      calls: 1_000_000,
      tableRows: 1_000_000,
      predictions: 100_000,
      seconds: 10,
      shortMatrix: false,
      peers: {},
      name: '1M-calls',
      command: 'make bench',
    })
  })

  it('parts by name, in their order', () => {
    expect(settingsFrom({ BENCH_ONLY: 'resources, http' }).parts).toEqual(['http', 'resources'])
    expect(() => settingsFrom({ BENCH_ONLY: 'reed' })).toThrow('"reed" is none')
  })

  it('the command says what was set', () => {
    const { command, name } = settingsFrom({ BENCH_CALLS: '20000', BENCH_ONLY: 'read', HOME: '/' })
    expect([command, name]).toEqual(['BENCH_CALLS=20000 BENCH_ONLY=read make bench', '20k-calls'])
  })

  it('the matrix may be short, and have others beside it whose places are not told', () => {
    const { shortMatrix, peers, command } = settingsFrom({
      BENCH_MATRIX: 'short',
      BENCH_PEER_JAEGER: '/opt/jaeger',
    })
    expect([shortMatrix, peers, command]).toEqual([
      true,
      { jaeger: '/opt/jaeger' },
      'BENCH_MATRIX=short make bench',
    ])
  })

  it('numbers and names are checked', () => {
    expect(() => settingsFrom({ BENCH_MATRIX: 'long' })).toThrow('BENCH_MATRIX')
    expect(() => settingsFrom({ BENCH_CALLS: 'many' })).toThrow('BENCH_CALLS')
    expect(() => settingsFrom({ BENCH_NAME: '../x' })).toThrow('BENCH_NAME')
  })
})

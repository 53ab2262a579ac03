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

  it('numbers and names are checked', () => {
    expect(() => settingsFrom({ BENCH_CALLS: 'many' })).toThrow('BENCH_CALLS')
    expect(() => settingsFrom({ BENCH_NAME: '../x' })).toThrow('BENCH_NAME')
  })
})

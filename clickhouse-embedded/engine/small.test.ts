import { expect, test } from 'vitest'
import type { Job, Outcome } from './protocol.js'
import { isBrief, SmallResults } from './small.js'

const job = (own: Partial<Job> = {}): Job => ({
  sql: 'SELECT a FROM t WHERE k = {k:String}',
  mode: 'stream',
  format: 'JSONEachRow',
  headerLines: 0,
  settings: [['max_execution_time', '10']],
  params: [['k', 'one']],
  database: undefined,
  tag: 'tag',
  keepState: false,
  ...own,
})

const outcome = (resultRows: number, resultBytes: number): Outcome => ({
  resultRows,
  resultBytes,
  readRows: 0,
  readBytes: 0,
  writtenRows: 0,
  writtenBytes: 0,
})

test('a text is expected to give what it gave, with other parameters too', () => {
  const small = new SmallResults()
  expect(small.expects(job())).toBe(false)
  small.ended(job(), outcome(1, 100))
  expect(small.expects(job())).toBe(true)
  expect(small.expects(job({ params: [['k', 'two']], tag: 'other' }))).toBe(true)
  expect(small.expects(job({ sql: 'SELECT b FROM t' }))).toBe(false)
  expect(small.expects(job({ format: 'CSV' }))).toBe(false)
})

test('a text that has once given much is streamed ever after', () => {
  const small = new SmallResults()
  for (const much of [outcome(501, 100), outcome(1, 1_000_000)]) {
    const text = job({ sql: `SELECT ${much.resultRows}` })
    small.ended(text, outcome(1, 100))
    small.ended(text, much)
    small.ended(text, outcome(1, 100))
    expect(small.expects(text)).toBe(false)
  }
  small.ended(job(), outcome(1, 100))
  small.exceeded(job())
  expect(small.expects(job())).toBe(false)
})

test.each([
  { settings: [['max_result_rows', '10']] },
  { settings: [['result_overflow_mode', 'break']] },
  { settings: [['readonly', '2']] },
  { sql: 'SELECT 1 SETTINGS max_result_bytes = 0' },
  { params: [['k', 'x'.repeat(100_000)]] },
  { sql: `SELECT ${'1, '.repeat(10_000)} 1` },
  { mode: 'whole' },
] satisfies Partial<Job>[])('not where limits are its own, or the text is long: %#', (own) => {
  const small = new SmallResults()
  small.ended(job(own as Partial<Job>), outcome(1, 100))
  expect(small.expects(job(own as Partial<Job>))).toBe(false)
})

test('what is remembered is bounded', () => {
  const small = new SmallResults()
  for (let i = 0; i < 5000; i++) small.ended(job({ sql: `SELECT ${i}` }), outcome(1, 1))
  const kept = Array.from({ length: 5000 }, (_, i) => small.expects(job({ sql: `SELECT ${i}` })))
  expect(kept.filter(Boolean).length).toBeLessThanOrEqual(1000)
})

test('long texts and values are not brief', () => {
  expect(isBrief(job())).toBe(true)
  expect(isBrief(job({ settings: [['x', 'y'.repeat(70_000)]] }))).toBe(false)
})

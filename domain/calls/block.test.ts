import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallBlock } from './block.js'
import { insertTarget, KIND, sentColumns } from './schema.js'
import { readBlock } from './testing/read-block.js'

const names = (table: 'calls' | 'calls_open') => sentColumns(table).map(({ name }) => name)
const texts = sentColumns('calls')
  .filter(({ kind }) => ['text', 'textOrUnset', 'json', 'sharedText'].includes(kind))
  .map(({ name }) => name)
type TextColumn = 'id' | 'inputs' | 'output' | 'summary'
const written: readonly TextColumn[] = ['id', 'inputs', 'output', 'summary']

const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ minLength: 30, maxLength: 300 }),
  fc.constantFrom(
    '',
    'x'.repeat(42),
    'é'.repeat(42),
    'x'.repeat(127),
    'x'.repeat(128),
    'x'.repeat(20_000),
    '\ud800',
  ),
)
const row = fc.record(
  {
    id: value,
    inputs: value,
    output: value,
    summary: value,
    started_at: fc.integer({ min: -1e15, max: 9e15 }),
    run_step: fc.maxSafeInteger(),
    descendant_errors: fc.nat(2 ** 32 - 1),
    leaves: fc.array(fc.nat(2 ** 32 - 1), { maxLength: 5 }),
  },
  { requiredKeys: [] },
)
type Row = (typeof row)['generate'] extends (...args: never[]) => { value: infer T } ? T : never

function append(block: CallBlock, given: Row, way: number): void {
  for (const name of written) {
    const text = given[name]
    const column = block[name]
    if (text === undefined) continue
    const bytes = Buffer.from(`<${text}>`)
    if (way === 0) column.text(text)
    else if (way === 1) column.bytes(bytes, 1, bytes.length - 1)
    else if (way === 2)
      column.bytesOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 1, bytes.length - 1)
    else {
      column.open()
      column.utf8(text)
      column.close()
    }
  }
  if (given.started_at !== undefined) block.started_at.number(given.started_at)
  if (given.run_step !== undefined) block.run_step.number(given.run_step)
  if (given.descendant_errors !== undefined) block.descendant_errors.int(given.descendant_errors)
  for (const leaf of given.leaves ?? []) block.leaves.add(leaf)
}

function expected(given: Row) {
  const zeros = sentColumns('calls').filter(({ kind }) => kind === 'uint8' || kind === 'uint32')
  const unset = Object.fromEntries([
    ...texts.map((name) => [name, '']),
    ...zeros.map(({ name }) => [name, '0']),
  ])
  const valid = Object.fromEntries(written.map((name) => [name, Buffer.from(given[name] ?? '').toString()]))
  const size = ['inputs', 'output', 'summary']
    .map((name) => Buffer.byteLength(valid[name]!))
    .reduce((a, b) => a + b)
  return {
    ...unset,
    ...valid,
    started_at: String(given.started_at ?? 0),
    ended_at: '0',
    descendant_errors: String(given.descendant_errors ?? 0),
    run_step: String(given.run_step ?? -(2n ** 63n)),
    run_step_end: '-9223372036854775808',
    leaves: given.leaves ?? [],
    bytes: String(size),
    ver: '0',
    // None of these is a span.
    span_indexed: '1',
  }
}

describe('CallBlock', () => {
  it('reads back as what was appended, however it was appended; what was not set is unset', () => {
    const block = new CallBlock('calls')
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.nat(3), (rows, way) => {
        block.clear()
        for (const given of rows) {
          append(block, given, way)
          block.endRow()
        }
        expect(block.rows).toBe(rows.length)
        expect(readBlock(block.encode())).toEqual(rows.map(expected))
      }),
    )
  })

  it('drops rows and requests without a trace', () => {
    const kept = new CallBlock('calls')
    const block = new CallBlock('calls')
    const step = fc.record({ row, fate: fc.constantFrom('keep', 'drop', 'rollback') })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        kept.clear()
        block.clear()
        for (const { row: given, fate } of steps) {
          const mark = block.mark()
          append(block, given, 0)
          if (fate === 'drop') block.dropRow()
          else block.endRow()
          if (fate === 'rollback') {
            append(block, given, 1)
            block.endRow()
            append(block, given, 3)
            block.rollback(mark)
          }
          if (fate !== 'keep') continue
          append(kept, given, 0)
          kept.endRow()
        }
        expect(Buffer.from(block.encode()).equals(kept.encode())).toBe(true)
      }),
    )
  })

  it('takes texts over 2 MiB written in pieces', () => {
    const block = new CallBlock('calls')
    const text = 'é'.repeat(1 << 20)
    for (let i = 0; i < 2; i++) {
      block.inputs.open()
      block.inputs.utf8(text)
      block.inputs.byte(33)
      expect(block.inputs.close()).toBe((1 << 21) + 1)
      block.endRow()
    }
    for (const { inputs, bytes } of readBlock(block.encode())) {
      expect(inputs === `${text}!`).toBe(true)
      expect(bytes).toBe(String((1 << 21) + 1))
    }
  })

  it('keeps what is given instead of what it would compute', () => {
    const block = new CallBlock('calls')
    block.inputs.text('{}')
    block.bytes.number(99)
    block.endRow()
    expect(readBlock(block.encode())[0]!.bytes).toBe('99')
  })

  it('has the kind of a half in calls_open alone', () => {
    const open = new CallBlock('calls_open')
    open.kind.int(KIND.end)
    open.endRow()
    expect(readBlock(open.encode())[0]!.kind).toBe('2')
    const whole = new CallBlock('calls')
    whole.endRow()
    expect(readBlock(whole.encode())[0]).not.toHaveProperty('kind')
    expect(names('calls_open')).toEqual([...names('calls'), 'kind'])
    expect(insertTarget('calls_open')).toMatch(/^calls_open \(id, .*, kind\)$/)
  })

  it('writes into memory it is given, if there is enough', () => {
    const block = new CallBlock('calls')
    block.id.text('one')
    block.endRow()
    const plain = block.encode()
    const spare = new ArrayBuffer(100_000)
    const again = block.layout(spare).bytes
    expect(again.buffer).toBe(spare)
    expect(Buffer.from(again).equals(plain)).toBe(true)
    expect(block.layout(new ArrayBuffer(10)).bytes.buffer.byteLength).toBeGreaterThan(10)
  })

  it('gives memory back after a block that was much larger than others', () => {
    const block = new CallBlock('calls')
    block.inputs.text('x'.repeat(65 << 20))
    block.endRow()
    block.clear()
    expect(block.inputs.buf.length).toBeLessThan(65 << 20)
    block.inputs.text('y')
    block.endRow()
    expect(readBlock(block.encode())[0]!.inputs).toBe('y')
  })
})

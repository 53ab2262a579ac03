/** Rows of RowBinary, cut into pieces anywhere, become the same lines; what every member of a line is made of. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsStreamQuery } from '../../../contract/calls-read.js'
import { Bytes } from '../../../platform/bytes/bytes.js'
import { CALL_COLUMNS } from '../schema.js'
import { chosenColumns } from './columns.js'
import type { LineOptions } from './line.js'
import { linesOf } from './lines.js'
import { rowColumns } from './row.js'

const options: LineOptions = {
  project: 'a/b',
  columns: chosenColumns(null),
  whole: 'all',
  storageSize: true,
  usernames: true,
  traceSize: true,
  costs: false,
}
const SIZES: Record<string, number> = {
  time: 8,
  timeOrUnset: 8,
  integerOrUnset: 8,
  uint64: 8,
  uint8: 1,
  uint32: 4,
  expiry: 4,
}
const sizeOf = (name: string) =>
  name === 'trace_bytes' ? 8 : SIZES[CALL_COLUMNS.find((column) => column.name === name)?.kind ?? 'text']

/** A row as the store sends it: of each column a text, or a number. */
function rowOf(values: Record<string, string | number>): Buffer {
  const out = new Bytes()
  for (const name of rowColumns(options)) {
    const size = sizeOf(name)
    const value = values[name] ?? (size ? 0 : '')
    if (size === undefined) {
      out.varint(Buffer.byteLength(String(value)))
      out.utf8(String(value))
    } else {
      const number = Buffer.alloc(8)
      number.writeBigInt64LE(BigInt(value))
      out.copy(number, 0, size)
    }
  }
  out.byte(0)
  return Buffer.from(out.buf.subarray(0, out.pos))
}

async function written(pieces: readonly Uint8Array[]): Promise<string> {
  const found: Uint8Array[] = []
  const given = async function* () {
    yield* pieces
  }
  for await (const piece of linesOf(given(), options, undefined)) found.push(piece)
  return Buffer.concat(found).toString()
}

const SPAN = {
  otel_span: 'one\x01two\x01000\x01987\x01,"events":[]',
  otel_shape: '{"id":"\x07","a":"\x01","in":\x02,"v":\x03,"b":"\x01","s":"\x0e\x01Z","e":"\x0f\x01Z"\x01',
  otel_origin: ',"end":1}',
}
const rows = [
  rowOf({ id: 'x "1"', op_name: 'weave:///a/b/op/f%20g:1', started_at: 1_767_225_600_500_000, run_step: -5 }),
  rowOf({
    ...SPAN,
    ...{
      id: '2',
      trace_id: 't',
      started_at: 1_000_000,
      ended_at: 3_000_000,
      inputs: '{"q":7}',
      output: '[]',
    },
    ...{
      attributes: '{"k":1}',
      summary: '{"s":1}',
      username: 'me',
      user_id: 'u',
      exception: 'é\u2028'.repeat(50),
    },
  }),
]

describe('rows of calls', () => {
  it('become lines with every member of the contract', async () => {
    const lines = (await written(rows)).trim().split('\n')
    const [first, second] = lines.map((line) => JSON.parse(line))
    expect(first).toMatchObject({
      ...{
        id: 'x "1"',
        project_id: 'a/b',
        started_at: '2026-01-01T00:00:00.500000Z',
        ended_at: null,
        output: null,
      },
      ...{ platform_run_step: -5, wb_run_step: -5, inputs: {}, attributes: {}, total_storage_size_bytes: 0 },
      summary: { weave: { status: 'running', trace_name: 'f g' } },
    })
    expect(second).toMatchObject({
      ...{ platform_username: 'me', wb_username: 'me', wb_user_id: 'u', inputs: { q: 7 }, output: [] },
      ...{ started_at: '1970-01-01T00:00:01Z', exception: 'é\u2028'.repeat(50) },
      attributes: {
        k: 1,
        otel_span: {
          ...{ id: '2', a: 'one', in: { q: 7 }, v: 7, b: 'two', events: [], end: 1 },
          ...{ s: '1970-01-01T00:00:01.000000000Z', e: '1970-01-01T00:00:03.000000987Z' },
        },
      },
      summary: { weave: { status: 'error', latency_ms: 2000 }, s: 1 },
    })
    // The contract has both names of a user beside the rest; a line leaves them out where nobody knows them. Token ids
    // and names of spans are added to lines where a read asks for them.
    const asked = ['token_ids', 'span_name']
    const names = Object.keys(callsStreamQuery.answer!.shape).filter((name) => !asked.includes(name))
    expect(Object.keys(second).sort()).toEqual(names.sort())
  })

  it('are the same lines, wherever their bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 20 }), async (cuts) => {
        const bytes = Buffer.concat([...rows, ...rows])
        const places = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b)
        const pieces = places.slice(1).map((to, i) => bytes.subarray(places[i], to))
        expect(await written(pieces)).toBe((await written(rows)).repeat(2))
      }),
    ))

  it('that end in the middle of one are an error', async () => {
    await expect(written([rows[0]!.subarray(0, -1)])).rejects.toThrow('truncated')
  })
})

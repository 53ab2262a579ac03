/** Decodes requests for tests and reads their rows back, in the form that the oracle has. */
import { expect } from 'vitest'
import { COLUMN_KEYS } from '../../../domain/agents/keys.js'
import { CallBlock } from '../../../domain/calls/block.js'
import { UInt32ArrayColumn } from '../../../domain/calls/column.js'
import { indexJson, SPAN_PATH } from '../../../domain/calls/json-leaves.js'
import { LEAF_TEXT_LIMIT, leafHashOf, TRUNCATED } from '../../../domain/calls/leaves.js'
import { MARKS } from '../../../domain/calls/otel-span.js'
import { type Row, readBlock } from '../../../domain/calls/testing/read-block.js'
import { spanLeafPaths } from '../../../domain/conventions/leaf-paths.js'
import { LABELS } from '../../../domain/conventions/table.js'
import { type BatchOptions, type ExportRequest, OtlpDecoder } from '../decode.js'
import type { SpanOp } from '../projects.js'
import { Walker } from '../walker/walker.js'

export const PROJECT = 'team/app'

const block = new CallBlock('calls')
const open = new CallBlock('calls_open')
const decoder = new OtlpDecoder(block, open)
const walked = new CallBlock('calls')
const walkedOpen = new CallBlock('calls_open')
/** The walker that all tests go by, beside TypeScript. */
export const walker = new Walker(walked)
export const walking = new OtlpDecoder(walked, walkedOpen, undefined, walker)

/** A request with nothing special about it. */
export function requestOf(body: Uint8Array, more: Partial<ExportRequest> = {}): ExportRequest {
  return {
    body,
    encoding: 'identity',
    format: 'protobuf',
    signal: 'traces',
    project: PROJECT,
    allowed: () => true,
    userId: 'ann',
    ...more,
  }
}

/**
 * Decodes `requests` by one decoder, the same for all tests, as a thread would; and by one with a walker.
 * @throws if the two differ in anything
 */
export function decoded(requests: ExportRequest[], options: Partial<BatchOptions> = {}) {
  const by = (one: OtlpDecoder, calls: CallBlock, waiting: CallBlock) => {
    calls.clear()
    waiting.clear()
    const batch = one.decodeBatch(requests, { ver: 1_767_225_600_000_000, ...options })
    return { batch, bytes: calls.encode(), open: waiting.encode() }
  }
  const { batch, bytes, open: waiting } = by(decoder, block, open)
  const other = by(walking, walked, walkedOpen)
  const { ops, ...rest } = batch
  expect(other.batch).toStrictEqual({ ...rest, ops: expect.anything() })
  const namesOf = (all: readonly SpanOp[]) =>
    new Set(all.map(({ projectId, name }) => `${projectId} ${name}`))
  expect(namesOf(other.batch.ops)).toStrictEqual(namesOf(ops))
  const rows = readBlock(bytes)
  if (Buffer.compare(other.bytes, bytes) !== 0) {
    expect(readBlock(other.bytes)).toStrictEqual(rows)
    throw new Error('the walker writes the same rows in other bytes')
  }
  expect(Buffer.compare(other.open, waiting)).toBe(0)
  return { ...batch, stored: rows, raw: rows.map(joined), open: readBlock(waiting) }
}

/** As the store writes a time, with a T. */
function isoOf(micros: string): string {
  const second = Math.floor(Number(micros) / 1e6)
  const text = new Date(second * 1000).toISOString().slice(0, 19)
  return `${text}.${String(Number(micros) - second * 1e6).padStart(6, '0')}`
}

/** The row with its span's text in one piece, put together as the store does it. */
function joined({ otel_shape, otel_origin, ...row }: Row): Row {
  if (otel_shape === '') return row
  const { inputs, output, otel_span, trace_id, id, parent_id, started_at, ended_at } = row as Record<
    string,
    string
  >
  const onlyValue = (text: string) => text.slice(text.indexOf('":') + 2, -1)
  const values = otel_span!.split(MARKS.value)
  const around = String(otel_shape).split(MARKS.value)
  if (values.length !== around.length)
    throw new Error('a span has more values than places for them, or fewer')
  const text = around
    .map((one, i) => one + values[i])
    .join('')
    .replace(MARKS.inputs, () => inputs!)
    .replace(MARKS.inputsValue, () => onlyValue(inputs!))
    .replace(MARKS.output, () => output!)
    .replace(MARKS.outputValue, () => onlyValue(output!))
    .replace(MARKS.traceId, trace_id!)
    .replace(MARKS.id, id!)
    .replace(MARKS.parentId, parent_id!)
    .replace(MARKS.start, isoOf(started_at!))
    .replace(MARKS.end, isoOf(ended_at!))
  return { ...row, otel_span: `${text}${otel_origin}` }
}

/** They have tests of their own. */
export const AGENT_COLUMNS: readonly string[] = [
  ...['span_kind', 'span_status', 'own_conversation', 'has_user', 'answer_hash', 'repeats_usage'],
  ...Object.keys(COLUMN_KEYS),
  ...Object.keys(LABELS),
  'first_token',
]

const JSON_COLUMNS = ['inputs', 'output', 'attributes', 'summary', 'otel_span']
const UNSET_NUMBERS: Record<string, string> = {
  ended_at: '0',
  descendant_errors: '0',
  run_step: '-9223372036854775808',
  run_step_end: '-9223372036854775808',
}

/** A row without what is unset or the same in all, its JSON parsed. */
export function plainRow(row: Row): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string' || value === (UNSET_NUMBERS[name] ?? '')) continue
    if (['ver', 'bytes', 'user_id', 'span_indexed', ...AGENT_COLUMNS].includes(name)) continue
    plain[name] = JSON_COLUMNS.includes(name) ? JSON.parse(value) : value
  }
  return plain
}

/**
 * Asserts that the index has all leaves of a row's columns, and those of its span where readers look for them; and no
 * others.
 */
export function expectLeaves(row: Record<string, unknown>): void {
  const found = new Set(row.leaves as number[])
  expect(Number(row.span_indexed)).toBe(1)
  if (found.has(TRUNCATED)) return
  const ofColumns = leavesOf(row)
  const ofSpan = textLeaves(JSON.parse(row.otel_span as string).attributes, [])
  const missing = ofSpan.filter(
    ([path, text]) => !spanLeafPaths(path).some((one) => found.has(leafHashOf(one, text))),
  )
  expect(missing).toEqual([])
  const own = ofSpan.map(([path, text]) => leafHashOf([...SPAN_PATH, ...path], text))
  expect(ofColumns.filter((hash) => !found.has(hash))).toEqual([])
  const known = new Set([...ofColumns, ...own])
  expect([...found].filter((hash) => !known.has(hash))).toEqual([])
}

/** The texts that are leaves in `value`, with their paths. */
function textLeaves(value: unknown, path: string[]): [path: string[], text: string][] {
  if (typeof value === 'string' || typeof value === 'boolean') {
    const size = Buffer.byteLength(String(value))
    return size > 0 && size <= LEAF_TEXT_LIMIT ? [[path, String(value)]] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => textLeaves(one, [...path, key]))
}

/** The leaves of a row's columns, found by the one walk over JSON text that there is. */
function leavesOf(row: Record<string, unknown>): number[] {
  const leaves = new UInt32ArrayColumn()
  const found: number[] = []
  const add = leaves.add.bind(leaves)
  leaves.add = (hash) => {
    found.push(hash)
    add(hash)
  }
  for (const root of ['inputs', 'output', 'attributes'] as const) {
    const bytes = Buffer.from(row[root] as string)
    if (bytes.length > 0) indexJson(leaves, root, bytes, 0, bytes.length)
  }
  return found
}

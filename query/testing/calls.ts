/** For tests only: writes calls straight into the tables, with their leaves, as ingest does. */
import { CallBlock } from '../../domain/calls/block.js'
import { indexJson, type LeafRoot } from '../../domain/calls/json-leaves.js'
import { KIND } from '../../domain/calls/schema.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { microsOf } from '../../platform/time/micros.js'

/** A row; JSON columns are texts. Absent means unset. */
export interface TestCall {
  id: string
  trace_id?: string
  parent_id?: string
  thread_id?: string
  turn_id?: string
  op_name?: string
  display_name?: string
  started_at: string
  ended_at?: string
  exception?: string
  inputs?: string
  output?: string
  attributes?: string
  summary?: string
  otel_span?: string
  descendant_errors?: number
  user_id?: string
  run_id?: string
  environment?: string
  prompt_name?: string
  prompt_version?: string
  /** µs */
  first_token?: number
  run_step?: number
  run_step_end?: number
  ver?: number
  /** which half it is; absent: whole */
  half?: 'start' | 'end'
}

const TEXTS = [
  'parent_id',
  'thread_id',
  'turn_id',
  'display_name',
  'exception',
  'inputs',
  'output',
  'attributes',
  'summary',
  'otel_span',
  'user_id',
  'run_id',
  'environment',
  'prompt_name',
  'prompt_version',
] as const

/** Writes `calls` into `project` (`entity/project`). */
export async function writeCalls(store: Store, project: string, calls: readonly TestCall[]): Promise<void> {
  for (const table of ['calls', 'calls_open'] as const) {
    const rows = calls.filter(({ half }) => (half === undefined) === (table === 'calls'))
    if (rows.length === 0) continue
    const block = new CallBlock(table)
    for (const call of rows) addRow(block, project, call)
    await store.insert(table, 'Native', [block.encode()])
  }
}

function addRow(block: CallBlock, project: string, call: TestCall): void {
  block.project_id.text(projectIdOf(project))
  block.id.text(call.id)
  block.trace_id.text(call.trace_id ?? `trace of ${call.id}`)
  block.op_name.text(call.op_name ?? 'op')
  for (const name of TEXTS) block[name].text(call[name] ?? '')
  for (const root of ['inputs', 'output', 'attributes'] as const) index(block, root, call[root])
  block.started_at.number(microsOf(call.started_at))
  if (call.first_token !== undefined) block.first_token.int(call.first_token)
  if (call.ended_at !== undefined) block.ended_at.number(microsOf(call.ended_at))
  if (call.descendant_errors !== undefined) block.descendant_errors.int(call.descendant_errors)
  if (call.run_step !== undefined) block.run_step.number(call.run_step)
  if (call.run_step_end !== undefined) block.run_step_end.number(call.run_step_end)
  if (call.half !== undefined) block.kind.int(KIND[call.half])
  block.ver.number(call.ver ?? (call.half === undefined ? 2 : 1))
  block.endRow()
}

function index(block: CallBlock, root: LeafRoot, text: string | undefined): void {
  if (text === undefined) return
  const bytes = Buffer.from(text)
  indexJson(block.leaves, root, bytes, 0, bytes.length)
}

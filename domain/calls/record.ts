/** Writes finished calls of the service itself: one row each. */
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { minify } from '../../platform/json/minify.js'
import { nextVersion } from '../../platform/time/versions.js'
import { CallBlock } from './block.js'
import { indexJson, type LeafRoot } from './json-leaves.js'
import { redactInto } from './redact.js'
import { insertTarget } from './schema.js'

/** A started call. JSON is given as text. */
export interface StartedCall {
  project: string
  /** not yet used in the project */
  id: string
  traceId: string
  /** empty: a root */
  parentId?: string
  opName: string
  displayName?: string
  /** µs since the epoch */
  startedAt: number
  inputs: string
  attributes: string
  userId: string
}

export interface FinishedCall extends Omit<StartedCall, 'displayName'> {
  endedAt: number
  /** empty: none */
  output: string
  summary: string
  /** empty: success */
  exception?: string
  /** number of failed descendants; default: none */
  descendantErrors?: number
}

/** Resolves when `calls` are stored and readable. @param encode builds their block elsewhere; default: here */
export async function recordCalls(
  store: Store,
  calls: readonly FinishedCall[],
  encode: (calls: readonly FinishedCall[]) => Uint8Array | Promise<Uint8Array> = finishedBlock,
): Promise<void> {
  if (calls.length === 0) return
  await store.insert(insertTarget('calls'), 'Native', [await encode(await masked(store, calls))])
}

/** The calls as they are to be stored. */
export async function masked<Call extends StartedCall>(
  store: Store,
  calls: readonly Call[],
): Promise<readonly Call[]> {
  const rows = calls.map((call) => ({
    ...call,
    project_id: projectIdOf(call.project),
    ...(call.displayName !== undefined && { display_name: call.displayName }),
  }))
  const stored = await store.changed('calls', rows)
  if (stored === rows) return calls
  return stored.map((row, i) => {
    const { inputs, attributes, display_name } = row
    const texts = { inputs, attributes, ...(display_name !== undefined && { displayName: display_name }) }
    const { output, exception, summary } = row as Partial<FinishedCall>
    const end = output === undefined ? {} : { output, exception, summary }
    return { ...calls[i]!, ...texts, ...end }
  })
}

/** Encodes `calls` as one Native block. @throws JsonError for text nested too deep */
export function finishedBlock(calls: readonly FinishedCall[]): Uint8Array {
  const block = new CallBlock()
  for (const call of calls) addRow(block, call)
  return block.encode()
}

function addRow(block: CallBlock, call: FinishedCall): void {
  writeStart(block, call)
  block.ended_at.number(call.endedAt)
  block.exception.text(call.exception ?? '')
  block.descendant_errors.int(call.descendantErrors ?? 0)
  writeJson(block, 'output', call.output, false)
  block.summary.text(call.summary)
  block.endRow()
}

/** Writes a call's start into the current row, without ending the row. */
export function writeStart(block: CallBlock, call: StartedCall): void {
  block.project_id.text(projectIdOf(call.project))
  block.id.text(call.id)
  block.trace_id.text(call.traceId)
  block.parent_id.text(call.parentId ?? '')
  block.op_name.text(call.opName)
  block.started_at.number(call.startedAt)
  block.user_id.text(call.userId)
  block.ver.number(nextVersion())
  writeJson(block, 'inputs', call.inputs, true)
  writeJson(block, 'attributes', call.attributes, true)
}

/** @param text empty: no value @param redact replaces credentials under their keys */
export function writeJson(block: CallBlock, root: LeafRoot, text: string, redact: boolean): void {
  if (text === '') {
    block[root].text('')
    return
  }
  const source = Buffer.from(text)
  const column = block[root]
  column.open()
  const at = column.pos
  if (redact) redactInto(column, source, 0, source.length)
  else {
    const stored = minify(source)
    column.copy(stored, 0, stored.length)
  }
  indexJson(block.leaves, root, column.buf, at, column.pos)
  column.close()
}

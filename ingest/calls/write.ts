/** Writes a joined call as one row of a block: user data is copied from the body's bytes, or mended where it must be. */
import type { CallBlock } from '../../common/calls/block.js'
import type { StringColumn } from '../../common/calls/column.js'
import { indexJson, type LeafRoot } from '../../common/calls/json-leaves.js'
import { redactInto } from '../../common/calls/redact.js'
import { KIND } from '../../common/calls/schema.js'
import { projectIdOf } from '../../common/ids/project.js'
import { minifyInto } from '../../common/json/minify.js'
import { CREDENTIALS, ESCAPES, type Half, LONE_SURROGATES, SPACES } from './half.js'
import type { Joined } from './join.js'
import { SLOT, type Slot } from './slots.js'
import { writeSummary } from './summary.js'

/**
 * Appends `call` to `block` (of the table `calls` if both its sides are there, else of `calls_open`).
 * @param userId who sent it
 * @param ver µs since the epoch when it was accepted
 */
export function writeRow(block: CallBlock, call: Joined, userId: string, ver: number): void {
  const { start, end } = call
  block.project_id.text(projectIdOf(call.project))
  block.id.text(call.id)
  block.user_id.text(userId)
  block.ver.number(ver)
  if (block.table === 'calls_open') block.kind.int(start ? KIND.start : KIND.end)
  if (start) writeStart(block, start)
  else if (end) {
    writeText(block.trace_id, end, SLOT.trace_id)
    if (end.startedAt > 0) block.started_at.number(end.startedAt)
  }
  if (end) writeEnd(block, end)
  block.endRow()
}

function writeStart(block: CallBlock, half: Half): void {
  if (half.madeTraceId === '') writeText(block.trace_id, half, SLOT.trace_id)
  else block.trace_id.text(half.madeTraceId)
  writeText(block.parent_id, half, SLOT.parent_id)
  writeText(block.thread_id, half, SLOT.thread_id)
  writeText(block.turn_id, half, SLOT.turn_id)
  writeText(block.op_name, half, SLOT.op_name)
  writeText(block.display_name, half, SLOT.display_name)
  block.started_at.number(half.startedAt)
  writeJson(block, block.inputs, half, SLOT.inputs, CREDENTIALS, 'inputs')
  writeJson(block, block.attributes, half, SLOT.attributes, CREDENTIALS, 'attributes')
  writeJson(block, block.otel_span, half, SLOT.otel_dump, CREDENTIALS)
  writeText(block.run_id, half, SLOT.platform_run_id)
  if (half.runStep !== undefined) block.run_step.number(half.runStep)
}

function writeEnd(block: CallBlock, half: Half): void {
  block.ended_at.number(half.endedAt)
  writeText(block.exception, half, SLOT.exception)
  writeJson(block, block.output, half, SLOT.output, 0, 'output')
  block.descendant_errors.int(half.descendantErrors)
  if (half.runStepEnd !== undefined) block.run_step_end.number(half.runStepEnd)
  if (half.summaryHasWeave) {
    block.summary.open()
    writeSummary(block.summary, half)
    block.summary.close()
  } else writeJson(block, block.summary, half, SLOT.summary, 0)
}

/** A string slot's text; nothing if it is unset. */
function writeText(column: StringColumn, half: Half, slot: Slot): void {
  if (half.unset(slot)) return
  if (half.flags(slot) & ESCAPES) column.text(half.text(slot))
  else column.bytes(half.buf, half.from(slot) + 1, half.to(slot) - 1)
}

/**
 * A slot's JSON in its stored form, and its leaves; nothing if it is unset.
 * @param hide CREDENTIALS if what stands under their keys is to be replaced, else 0
 */
function writeJson(
  block: CallBlock,
  column: StringColumn,
  half: Half,
  slot: Slot,
  hide: number,
  root?: LeafRoot,
): void {
  if (half.unset(slot)) return
  const from = half.from(slot)
  const to = half.to(slot)
  const flags = half.flags(slot)
  column.open()
  const at = column.pos
  if (flags & hide) redactInto(column, half.buf, from, to)
  else if (flags & (SPACES | LONE_SURROGATES)) {
    column.reserve(to - from)
    column.pos = minifyInto(half.buf, from, to, column.buf, at)
  } else column.copy(half.buf, from, to)
  if (root !== undefined) indexJson(block.leaves, root, column.buf, at, column.pos)
  column.close()
}

/** Writes a joined call as one row of a block: user data is copied from the body's bytes, or mended where it must be. */
import { type CallBlock, columnIndexOf } from '../../domain/calls/block.js'
import type { Int64Column, StringColumn } from '../../domain/calls/column.js'
import { indexJson, indexSpan, type LeafRoot } from '../../domain/calls/json-leaves.js'
import { redactInto } from '../../domain/calls/redact.js'
import { KIND, type Kind, sentColumns } from '../../domain/calls/schema.js'
import { LABELS } from '../../domain/conventions/table.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { minifyInto } from '../../platform/json/minify.js'
import { CREDENTIALS, ESCAPES, type Half, LONE_SURROGATES, SPACES } from './half.js'
import type { Joined } from './join.js'
import { writeLabels } from './labels.js'
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
  const first = start ?? end!
  if (first.madeTraceId !== '') block.trace_id.text(first.madeTraceId)
  else if (!first.unset(SLOT.trace_id)) writeText(block.trace_id, first, SLOT.trace_id)
  if (start) writeFields(block, start, STARTS)
  else if (end && !end.unset(SLOT.started_at)) block.started_at.number(end.number(SLOT.started_at))
  if (end) {
    writeFields(block, end, ENDS)
    block.descendant_errors.int(end.descendantErrors)
    if (end.summaryHasWeave) {
      block.summary.open()
      writeSummary(block.summary, end)
      block.summary.close()
    } else writeJson(block, block.summary, end, SLOT.summary, 0)
  }
  writeLabels(block, start, end)
  block.endRow()
}

/** A field that goes into its column as it is. */
interface Field {
  readonly slot: Slot
  readonly index: number
  readonly form: 'text' | 'json' | 'number'
  /** CREDENTIALS if what stands under their keys is to be replaced, else 0 */
  readonly hide: number
  readonly root: LeafRoot | undefined
}

const FORMS: Partial<Record<Kind, Field['form']>> = {
  text: 'text',
  textOrUnset: 'text',
  json: 'json',
  time: 'number',
  timeOrUnset: 'number',
  integerOrUnset: 'number',
}

/** Those that are written in a way of their own; who sent a call is known by the key. */
const OTHERS = ['trace_id', 'summary', 'user_id', ...Object.keys(LABELS)]

function fieldsOf(half: 'start' | 'end'): Field[] {
  return sentColumns('calls').flatMap(
    ({ name, kind, half: carriedBy, input, inputName, redacted, indexed }) => {
      const form = FORMS[kind]
      if (carriedBy !== half || input === undefined || form === undefined || OTHERS.includes(name)) return []
      const root = indexed ? (name as LeafRoot) : undefined
      return [
        { slot: SLOT[inputName], index: columnIndexOf(name), form, hide: redacted ? CREDENTIALS : 0, root },
      ]
    },
  )
}

const STARTS = fieldsOf('start')
const ENDS = fieldsOf('end')

function writeFields(block: CallBlock, half: Half, fields: readonly Field[]): void {
  for (let i = 0; i < fields.length; i++) {
    const { slot, index, form, hide, root } = fields[i]!
    if (half.unset(slot)) continue
    const column = block.columns[index]
    if (form === 'text') writeText(column as StringColumn, half, slot)
    else if (form === 'json') writeJson(block, column as StringColumn, half, slot, hide, root)
    else (column as Int64Column).number(half.number(slot))
  }
}

/** A string slot's text. */
function writeText(column: StringColumn, half: Half, slot: Slot): void {
  if (half.flags(slot) & ESCAPES) column.text(half.text(slot))
  else column.bytes(half.buf, half.from(slot) + 1, half.to(slot) - 1)
}

/**
 * A slot's JSON in its stored form, and its leaves.
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
  else if (column === block.otel_span) {
    indexSpan(block.leaves, column.buf.subarray(at, column.pos))
    block.span_indexed.int(1)
  }
  column.close()
}

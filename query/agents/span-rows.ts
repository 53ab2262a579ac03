/** Agents' spans in RowBinary: what is selected, and how it is read. Their texts are put together here, since that costs the store more. Pure. */
import type { SpanRow } from '../../domain/agents/span.js'
import { SPAN_COLUMNS } from '../../domain/calls/otel-span.js'
import { RowCursor, wholeRow } from '../../domain/calls/read/row.js'
import { SpanText } from '../../domain/calls/read/span-text.js'
import { UNSET_INTEGER } from '../../domain/calls/unset.js'
import { Bytes } from '../../platform/bytes/bytes.js'

const COLUMNS = [
  ...SPAN_COLUMNS,
  ...([
    'user_id',
    'run_id',
    'run_step',
    'run_step_end',
    'span_status',
    'exception',
    'repeats_usage',
  ] as const),
]

type SpanColumn = (typeof COLUMNS)[number]

/** The selected columns. */
export const SPAN_ROW = wholeRow('calls', COLUMNS)

/** The rows of a statement that selects {@link SPAN_ROW}, one after the other. */
export function* spanRows(bytes: Buffer): Generator<SpanRow> {
  const cursor = new RowCursor(COLUMNS)
  const spanText = new SpanText(cursor)
  const out = new Bytes(1 << 16)
  const text = (name: SpanColumn) => cursor.text(cursor.indexOf(name)).toString()
  const whole = (name: SpanColumn) => cursor.whole(cursor.indexOf(name))
  const step = (name: SpanColumn) => {
    const integer = cursor.int64(cursor.indexOf(name))
    return integer === UNSET_INTEGER ? null : Number(integer)
  }
  for (const _ of cursor.rows(bytes)) {
    out.pos = 0
    spanText.write(out)
    yield {
      id: text('id'),
      trace_id: text('trace_id'),
      parent_id: text('parent_id'),
      started: whole('started_at'),
      ended: whole('ended_at'),
      user_id: text('user_id'),
      run_id: text('run_id'),
      step: step('run_step'),
      step_end: step('run_step_end'),
      status: cursor.uint8(cursor.indexOf('span_status')),
      exception: text('exception'),
      repeats: cursor.uint8(cursor.indexOf('repeats_usage')) === 1,
      text: out.buf.toString('utf8', 0, out.pos),
    }
  }
}

/** The thread of a call, and whether it is a turn of it: see `ingest/otlp/call.ts`. */
import { setHex, setText } from './column'
import { thread_id, turn_id } from './layout'
import { first, firstText, from, isText, to } from './lookup'
import { fail, UNSUPPORTED } from './output'
import { conversationOf, hasFields, isTurnOf, ownThreadOf, threadOf } from './plan'
import { spanIdFrom } from './span'

const MAX_THREAD: usize = 256

/** The values of `TURN`. */
const NONE: u32 = 0
const TAKEN: u32 = 1
const SAID: u32 = 2
const DENIED: u32 = 3

export let turn: u32 = NONE
/** Bytes of the thread's id; 0: it has none. */
export let length: usize = 0

/** Sets the columns of the thread and the turn. */
export function writeThread(plan: usize): void {
  turn = NONE
  length = 0
  if (!hasFields(plan)) return
  if (firstText(ownThreadOf(plan)) && !isId()) fail(UNSUPPORTED)
  if (!firstText(threadOf(plan)) || !isId()) return
  length = to - from
  setText(thread_id, from, to)
  turn = turnOf(plan)
  if (turn === SAID || turn === TAKEN) setHex(turn_id, spanIdFrom, spanIdFrom + 8)
}

/** Whether the text found last may be an id. Long ones are left to TypeScript, which counts characters. */
function isId(): bool {
  if (to - from > MAX_THREAD) {
    fail(UNSUPPORTED)
    return false
  }
  for (let at = from; at < to; at++) if (load<u8>(at) < 32 || load<u8>(at) === 127) return false
  return to > from
}

function turnOf(plan: usize): u32 {
  if (firstText(isTurnOf(plan))) {
    if (isText(0x65757274, 4)) return SAID
    if (isText(0x65736c6166, 5)) return DENIED
  }
  return first(conversationOf(plan)) === 0 ? NONE : TAKEN
}

/** The columns that say what a span's agent did: see `ingest/otlp/agent.ts`. */
import { columnEnd, isSet, setText } from './column'
import {
  agent_name,
  cache_creation_input_tokens,
  cache_read_input_tokens,
  input_tokens,
  operation_name,
  provider_name,
  TEXT,
  TEXT_SIZE,
  thread_id,
} from './layout'
import { from, NO_COUNT, set, to, toCount, toText } from './lookup'
import { fail, UNSUPPORTED } from './output'
import { agentOf, countOf, isUncached, sourcesOf, targetOf } from './plan'

/** Longer names are cut. */
const MAX_TEXT: usize = 512
const MAX_COUNT: u64 = 0xffffffff

/** Targets below are columns of texts; of those above the lowest bits say what they are. */
const COUNT: u32 = 1
const CONVERSATION: u32 = 2

/**
 * Sets the columns of the row. A target is the address of its column, with COUNT for one of numbers; CONVERSATION is the
 * one that is compared with the thread. Returns whether it is the same.
 */
export function writeAgent(plan: usize, row: usize, threadLength: usize): bool {
  const targets = agentOf(plan)
  let own = false
  let uncached = false
  let hasInput = false
  for (let i = 0; i < countOf(targets); i++) {
    const source = set(sourcesOf(targets, i))
    if (source === 0) continue
    if (isUncached(source)) uncached = true
    const target = targetOf(targets, i)
    if (target === CONVERSATION) own = threadLength > 0 && isThread(threadLength)
    else if ((target & COUNT) !== 0) {
      const count = toCount()
      if (target - COUNT === <u32>input_tokens) hasInput = true
      store<u32>(target - COUNT + row * 4, <u32>(count === NO_COUNT ? 0 : min(count, MAX_COUNT)))
    } else writeName(target)
  }
  if (uncached && hasInput) addCached(row)
  return own
}

/** Adds what was read from and written to the cache to the count of the input. */
function addCached(row: usize): void {
  const count = input_tokens + row * 4
  const cached =
    <u64>load<u32>(cache_creation_input_tokens + row * 4) + <u64>load<u32>(cache_read_input_tokens + row * 4)
  store<u32>(count, <u32>min(<u64>load<u32>(count) + cached, MAX_COUNT))
}

function isThread(length: usize): bool {
  if (!toText() || to - from !== length) return false
  return memory.compare(from, columnEnd(thread_id) - length, length) === 0
}

function writeName(column: usize): void {
  if (!toText()) {
    setText(column, TEXT, TEXT)
    return
  }
  if (to - from > MAX_TEXT || (column === operation_name && isFetch())) fail(UNSUPPORTED)
  else if (column === provider_name) writeLowerCase()
  else setText(column, from, to)
}

/** `fetch_response`: few spans do that, and TypeScript knows how they count. */
function isFetch(): bool {
  return (
    to - from === 14 && load<u64>(from) === 0x65725f6863746566 && load<u64>(from, 6) === 0x65736e6f70736572
  )
}

/** `record_usage model_call`, as far as other names don't begin and end: likewise. */
export function isRecorded(from: usize, to: usize): bool {
  return (
    to - from === 23 && load<u64>(from) === 0x755f64726f636572 && load<u64>(from, 15) === 0x6c6c61635f6c6564
  )
}

/** Letters beyond ASCII are left to TypeScript. */
function writeLowerCase(): void {
  const length = to - from
  const at = TEXT + TEXT_SIZE - MAX_TEXT
  for (let i: usize = 0; i < length; i++) {
    const byte: u32 = load<u8>(from + i)
    if (byte >= 128) fail(UNSUPPORTED)
    store<u8>(at + i, byte >= 65 && byte <= 90 ? byte + 32 : byte)
  }
  setText(provider_name, at, at + length)
}

/** What the span's name says, where no attribute does. `op`: see `op.ts` */
export function writeByName(op: usize): void {
  if (!isSet(operation_name)) setText(operation_name, load<u32>(op, 24), load<u32>(op, 28))
  if (!isSet(agent_name)) setText(agent_name, load<u32>(op, 32), load<u32>(op, 36))
}

/**
 * Where everything lies in the walker's memory, which is of a fixed size. The exported numbers are globals of the
 * instance, so its host reads them there and nobody writes them twice. Everything is aligned to eight bytes.
 */

const KIB: usize = 1024
const MIB: usize = 1024 * 1024

/** Rows that the columns hold. */
export const ROWS: i32 = 512
/** Bytes of the piece of a request that is looked at, and of what may be read behind it. */
export const WINDOW_SIZE: usize = 1024 * 1024
const BEHIND: usize = 64

/** Attributes of a message that has a plan. */
export const MAX_ATTRIBUTES: i32 = 256
/** Bytes of what is known of an attribute. */
export const ATTRIBUTE_SIZE: usize = 32
/** What a call's counts are numbered up to. */
export const MAX_COUNTS: i32 = 32

/** Texts of the tables that the host fills once. */
export const SETUP: usize = 4096
/** Where the literals stand, two numbers each. */
export const LITERALS: usize = SETUP + 256
/** What those point at. */
export const SETUP_TEXTS: usize = SETUP + 512
/** The user's id. */
export const USER: usize = 64 * KIB
export const USER_SIZE: usize = 4096
/** Scratch of a few texts: digits, a date, a row's identity, a leaf. */
export const DIGITS: usize = USER + USER_SIZE
export const DATE: usize = DIGITS + 64
export const LEAF: usize = DATE + 64
export const IDENTITY: usize = LEAF + 512
export const IDENTITY_SIZE: usize = 2048
export const NESTING: usize = IDENTITY + IDENTITY_SIZE
/** What the resource says of its spans' calls, by the place in `RESOURCE_LABELS`: a length, then the text. */
export const LABELS: usize = NESTING + 1024
export const LABEL_SIZE: usize = 2048
/** Texts that are put together for a comparison. */
export const TEXT: usize = LABELS + 3 * LABEL_SIZE
export const TEXT_SIZE: usize = 128 * KIB

/** Attributes of the span, and of the event or link at hand. */
export const ATTRIBUTES: usize = TEXT + TEXT_SIZE
export const PART_ATTRIBUTES: usize = ATTRIBUTES + MAX_ATTRIBUTES * ATTRIBUTE_SIZE
/** Where each literal of the nested text begins. */
export const STARTS: usize = PART_ATTRIBUTES + MAX_ATTRIBUTES * ATTRIBUTE_SIZE
export const PART_STARTS: usize = STARTS + (MAX_ATTRIBUTES + 8) * 4
/** Counts and costs of the span. */
export const COUNTS: usize = PART_STARTS + (MAX_ATTRIBUTES + 8) * 4
export const COSTS: usize = COUNTS + MAX_COUNTS * 8
/** Where the events of a span stand, and its links. */
export const MAX_PARTS: u32 = 1024
export const EVENTS: usize = COSTS + MAX_COUNTS * 48
export const LINKS: usize = EVENTS + MAX_PARTS * 8
/** The nested text of the span's attributes. */
export const NESTED: usize = 1 * MIB
export const NESTED_SIZE: usize = 2 * MIB
/** The request's piece. */
export const WINDOW: usize = NESTED + NESTED_SIZE
/** Heads of the chains of plans and ops. */
export const CHAINS: i32 = 4096
export const PLANS: usize = WINDOW + WINDOW_SIZE + BEHIND
export const OPS: usize = PLANS + CHAINS * 4

/** By row: columns of numbers, and what the host has to know beside the block. */
export const started_at: usize = OPS + CHAINS * 4
export const ended_at: usize = started_at + ROWS * 8
export const bytes: usize = ended_at + ROWS * 8
export const input_tokens: usize = bytes + ROWS * 8
export const output_tokens: usize = input_tokens + ROWS * 4
export const reasoning_tokens: usize = output_tokens + ROWS * 4
export const cache_creation_input_tokens: usize = reasoning_tokens + ROWS * 4
export const cache_read_input_tokens: usize = cache_creation_input_tokens + ROWS * 4
export const answer_hash: usize = cache_read_input_tokens + ROWS * 4
export const first_token: usize = answer_hash + ROWS * 4
export const otel_shape: usize = first_token + ROWS * 4
export const otel_origin: usize = otel_shape + ROWS * 2
export const span_kind: usize = otel_origin + ROWS * 2
export const span_status: usize = span_kind + ROWS
export const own_conversation: usize = span_status + ROWS
export const has_user: usize = own_conversation + ROWS
export const span_indexed: usize = has_user + ROWS
export const TURNS: usize = span_indexed + ROWS
export const HASHES: usize = TURNS + ROWS
/** Seven numbers a row: see `SpanTree`. */
export const TREE: usize = HASHES + ROWS * 8
export const LEAF_ENDS: usize = TREE + ROWS * 28
/** The hashes of the leaves of all rows. */
export const leaves: usize = LEAF_ENDS + ROWS * 4
export const MAX_LEAVES: i32 = ROWS * 256

/** The text columns: what is known of each (four numbers), then their bytes. */
export const TEXT_STATE: usize = leaves + MAX_LEAVES * 4
export const TEXT_COLUMNS: i32 = 27
const TEXTS: usize = TEXT_STATE + 512
const WIDE: usize = 2 * MIB - 64
const NARROW: usize = 256 * KIB
/** Those that may be wide come last. */
export const FIRST_WIDE: i32 = 23
export const ARENA: usize = TEXTS + FIRST_WIDE * NARROW + 4 * WIDE
export const ARENA_END: usize = ARENA + 16 * MIB

export const id: usize = TEXT_STATE + 0 * 16
export const project_id: usize = TEXT_STATE + 16
export const op_name: usize = TEXT_STATE + 2 * 16
export const trace_id: usize = TEXT_STATE + 3 * 16
export const display_name: usize = TEXT_STATE + 4 * 16
export const parent_id: usize = TEXT_STATE + 5 * 16
export const thread_id: usize = TEXT_STATE + 6 * 16
export const turn_id: usize = TEXT_STATE + 7 * 16
export const exception: usize = TEXT_STATE + 8 * 16
export const summary: usize = TEXT_STATE + 9 * 16
export const user_id: usize = TEXT_STATE + 10 * 16
export const operation_name: usize = TEXT_STATE + 11 * 16
export const provider_name: usize = TEXT_STATE + 12 * 16
export const agent_name: usize = TEXT_STATE + 13 * 16
export const agent_version: usize = TEXT_STATE + 14 * 16
export const request_model: usize = TEXT_STATE + 15 * 16
export const response_model: usize = TEXT_STATE + 16 * 16
export const tool_name: usize = TEXT_STATE + 17 * 16
export const environment: usize = TEXT_STATE + 18 * 16
export const release: usize = TEXT_STATE + 19 * 16
export const version: usize = TEXT_STATE + 20 * 16
export const prompt_name: usize = TEXT_STATE + 21 * 16
export const prompt_version: usize = TEXT_STATE + 22 * 16
export const attributes: usize = TEXT_STATE + 23 * 16
export const inputs: usize = TEXT_STATE + 24 * 16
export const output: usize = TEXT_STATE + 25 * 16
export const otel_span: usize = TEXT_STATE + 26 * 16

/** The numbers of some of them. */
export const THREAD_ID: i32 = 6
export const TURN_ID: i32 = 7
export const OTEL_SPAN: i32 = 26

/** Where the bytes of the text column numbered `n` begin. */
export function textStart(n: i32): usize {
  return n <= FIRST_WIDE
    ? TEXTS + <usize>n * NARROW
    : TEXTS + FIRST_WIDE * NARROW + (<usize>n - FIRST_WIDE) * WIDE
}

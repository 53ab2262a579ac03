/** Where everything before the rows lies in the walker's memory: see `layout.ts`. */

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

/** The columns of the rows, see `columns.ts`. */
export const ROW_COLUMNS: usize = OPS + CHAINS * 4

/** Limits of the OTLP route that hold for one span or one request. */

/** Values inside each other (lists, key-value lists, the parts of a dotted key) that a span may have. */
export const MAX_NESTING = 64

/** Messages about rejected spans that an answer holds. */
export const MAX_MESSAGES = 20

/** Bytes that a request may have after inflating, unless the caller says otherwise. */
export const MAX_INFLATED = 256 * 1024 * 1024

/** Attributes that one span, event, link or resource may have. */
export const MAX_ATTRIBUTES = 10_000

/** Events that one span may have, and links. */
export const MAX_PARTS = 10_000

/** Bytes of an attribute's JSON that are still searched for the small facts inside (counts, models, ids). */
export const MAX_SEARCHED = 65_536

/**
 * The wire tags (field number · 8 + wire type) of `trace.proto`, for readers and writers that walk the wire. A test
 * holds the two files together.
 */

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

const tag = (field: number, wireType: number) => field * 8 + wireType

export const REQUEST = { resourceSpans: tag(1, BYTES) } as const
export const RESPONSE = { partialSuccess: tag(1, BYTES) } as const
export const PARTIAL_SUCCESS = { rejectedSpans: tag(1, VARINT), errorMessage: tag(2, BYTES) } as const
export const RESOURCE_SPANS = { resource: tag(1, BYTES), scopeSpans: tag(2, BYTES) } as const
export const RESOURCE = { attributes: tag(1, BYTES), droppedAttributesCount: tag(2, VARINT) } as const
export const SCOPE_SPANS = { scope: tag(1, BYTES), spans: tag(2, BYTES) } as const
export const SCOPE = {
  name: tag(1, BYTES),
  version: tag(2, BYTES),
  attributes: tag(3, BYTES),
  droppedAttributesCount: tag(4, VARINT),
} as const
export const KEY_VALUE = { key: tag(1, BYTES), value: tag(2, BYTES) } as const
export const ARRAY = { values: tag(1, BYTES) } as const
export const KEY_VALUE_LIST = { values: tag(1, BYTES) } as const
export const STATUS = { message: tag(2, BYTES), code: tag(3, VARINT) } as const

export const SPAN = {
  traceId: tag(1, BYTES),
  spanId: tag(2, BYTES),
  traceState: tag(3, BYTES),
  parentSpanId: tag(4, BYTES),
  name: tag(5, BYTES),
  kind: tag(6, VARINT),
  startTimeUnixNano: tag(7, FIXED64),
  endTimeUnixNano: tag(8, FIXED64),
  attributes: tag(9, BYTES),
  droppedAttributesCount: tag(10, VARINT),
  events: tag(11, BYTES),
  droppedEventsCount: tag(12, VARINT),
  links: tag(13, BYTES),
  droppedLinksCount: tag(14, VARINT),
  status: tag(15, BYTES),
  flags: tag(16, FIXED32),
} as const

export const EVENT = {
  timeUnixNano: tag(1, FIXED64),
  name: tag(2, BYTES),
  attributes: tag(3, BYTES),
  droppedAttributesCount: tag(4, VARINT),
} as const

export const LINK = {
  traceId: tag(1, BYTES),
  spanId: tag(2, BYTES),
  traceState: tag(3, BYTES),
  attributes: tag(4, BYTES),
  droppedAttributesCount: tag(5, VARINT),
  flags: tag(6, FIXED32),
} as const

/** An export of logs has the tags of one of traces down to its records: see the test. */
export const LOG_RECORD = {
  timeUnixNano: tag(1, FIXED64),
  severityNumber: tag(2, VARINT),
  severityText: tag(3, BYTES),
  body: tag(5, BYTES),
  attributes: tag(6, BYTES),
  droppedAttributesCount: tag(7, VARINT),
  flags: tag(8, FIXED32),
  traceId: tag(9, BYTES),
  spanId: tag(10, BYTES),
  observedTimeUnixNano: tag(11, FIXED64),
  eventName: tag(12, BYTES),
} as const

export const ANY_VALUE = {
  stringValue: tag(1, BYTES),
  boolValue: tag(2, VARINT),
  intValue: tag(3, VARINT),
  doubleValue: tag(4, FIXED64),
  arrayValue: tag(5, BYTES),
  kvlistValue: tag(6, BYTES),
  bytesValue: tag(7, BYTES),
} as const

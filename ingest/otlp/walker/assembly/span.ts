/** A span as it stands on the wire: see `ingest/otlp/span.ts`. Fields nobody knows are left to TypeScript. */
import { addAttribute } from './attribute'
import { ATTRIBUTES, EVENTS, LINKS, MAX_PARTS } from './layout'
import { fail, UNSUPPORTED } from './output'
import { after, varint } from './wire'

export let traceIdFrom: usize = 0
export let spanIdFrom: usize = 0
/** 0: none */
export let parentIdFrom: usize = 0
export let stateFrom: usize = 0
export let stateTo: usize = 0
export let nameFrom: usize = 0
export let nameTo: usize = 0
export let messageFrom: usize = 0
export let messageTo: usize = 0
export let kind: u32 = 0
export let statusCode: u32 = 0
/** Where the times stand; 0: nowhere. */
export let start: usize = 0
export let end: usize = 0
export let droppedAttributes: u32 = 0
export let droppedEvents: u32 = 0
export let droppedLinks: u32 = 0
export let flags: u32 = 0
export let attributeCount: i32 = 0
export let keysHash: u64 = 0
export let eventCount: u32 = 0
export let linkCount: u32 = 0

let traceIdTo: usize = 0
let spanIdTo: usize = 0
let parentIdTo: usize = 0

/** Reads the Span message `[from, to)`. */
export function readSpan(from: usize, to: usize): void {
  traceIdFrom = traceIdTo = spanIdFrom = spanIdTo = parentIdFrom = parentIdTo = 0
  stateFrom = stateTo = nameFrom = nameTo = messageFrom = messageTo = 0
  kind = statusCode = droppedAttributes = droppedEvents = droppedLinks = flags = 0
  start = end = 0
  attributeCount = 0
  keysHash = 0
  eventCount = linkCount = 0
  let at = from
  while (at < to) {
    const tag = varint(at)
    at = after()
    if ((tag & 7) === 2) {
      const length = varint(at)
      const begin = after()
      at = begin + length
      if (at <= to) readPiece(tag, begin, at)
    } else at = readNumber(tag, at)
  }
  if (at !== to) fail(UNSUPPORTED)
  checkIds()
}

function readPiece(tag: u32, from: usize, to: usize): void {
  switch (tag) {
    case 74:
      keysHash = addAttribute(ATTRIBUTES, attributeCount, from, to, keysHash)
      attributeCount++
      break
    case 10:
      traceIdFrom = from
      traceIdTo = to
      break
    case 18:
      spanIdFrom = from
      spanIdTo = to
      break
    case 34:
      parentIdFrom = from
      parentIdTo = to
      break
    case 26:
      stateFrom = from
      stateTo = to
      break
    case 42:
      nameFrom = from
      nameTo = to
      break
    case 90:
      note(EVENTS, eventCount, from, to)
      eventCount++
      break
    case 106:
      note(LINKS, linkCount, from, to)
      linkCount++
      break
    case 122:
      readStatus(from, to)
      break
    default:
      fail(UNSUPPORTED)
  }
}

function note(table: usize, count: u32, from: usize, to: usize): void {
  if (count >= MAX_PARTS) {
    fail(UNSUPPORTED)
    return
  }
  store<u32>(table + count * 8, <u32>from)
  store<u32>(table + count * 8, <u32>to, 4)
}

function readNumber(tag: u32, at: usize): usize {
  switch (tag) {
    case 57:
      start = at
      return at + 8
    case 65:
      end = at
      return at + 8
    case 48:
      kind = varint(at)
      return after()
    case 133:
      flags = load<u32>(at)
      return at + 4
    case 80:
      droppedAttributes = varint(at)
      return after()
    case 96:
      droppedEvents = varint(at)
      return after()
    case 112:
      droppedLinks = varint(at)
      return after()
  }
  fail(UNSUPPORTED)
  return at
}

function readStatus(from: usize, to: usize): void {
  let at = from
  while (at < to) {
    const tag = varint(at)
    const value = varint(after())
    at = after()
    if (tag === 18) {
      messageFrom = at
      at += value
      messageTo = at
    } else if (tag === 24) statusCode = value
    else fail(UNSUPPORTED)
  }
  if (at !== to) fail(UNSUPPORTED)
}

/** A parent of zeros is none; other ids that can't be are left to TypeScript. */
function checkIds(): void {
  if (traceIdTo - traceIdFrom !== 16 || (load<u64>(traceIdFrom) | load<u64>(traceIdFrom, 8)) === 0)
    fail(UNSUPPORTED)
  if (spanIdTo - spanIdFrom !== 8 || load<u64>(spanIdFrom) === 0) fail(UNSUPPORTED)
  if (parentIdFrom === parentIdTo) parentIdFrom = 0
  else if (parentIdTo - parentIdFrom !== 8) fail(UNSUPPORTED)
  else if (load<u64>(parentIdFrom) === 0) parentIdFrom = 0
}

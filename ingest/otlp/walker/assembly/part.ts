/** The events and links of a span as JSON text, and what else ends the span's text: see `ingest/otlp/span-json.ts`. */
import { addAttribute, writeAttributes } from './attribute'
import { planOf } from './keys'
import { EVENTS, LINKS, PART_ATTRIBUTES, PART_STARTS } from './layout'
import * as literal from './literal'
import { byte, fail, failure, hex, letters, natural, UNSUPPORTED } from './output'
import { nesting, numberOf } from './plan'
import {
  droppedAttributes,
  droppedEvents,
  droppedLinks,
  eventCount,
  linkCount,
  flags as spanFlags,
} from './span'
import { writeUtf8 } from './text'
import { writeTime } from './time'
import { after, varint } from './wire'

const COMMA: u32 = 44
const CLOSE: u32 = 125

let attributeCount: i32 = 0
let keysHash: u64 = 0

/** Appends what follows the attributes of a span. */
export function writeTail(): void {
  literal.write(literal.events)
  for (let i: u32 = 0; i < eventCount && failure() === 0; i++) {
    if (i > 0) byte(COMMA)
    writeEvent(load<u32>(EVENTS + i * 8), load<u32>(EVENTS + i * 8, 4))
  }
  literal.write(literal.links)
  for (let i: u32 = 0; i < linkCount && failure() === 0; i++) {
    if (i > 0) byte(COMMA)
    writeLink(load<u32>(LINKS + i * 8), load<u32>(LINKS + i * 8, 4))
  }
  byte(93)
  writeCount(literal.droppedAttributes, droppedAttributes)
  writeCount(literal.droppedEvents, droppedEvents)
  writeCount(literal.droppedLinks, droppedLinks)
  writeCount(literal.flags, spanFlags)
}

function writeCount(opening: i32, count: u32): void {
  if (count === 0) return
  literal.write(opening)
  natural(count)
}

/** Appends the attributes of the part. */
function writePartAttributes(): void {
  literal.write(literal.partAttributes)
  const plan = planOf(PART_ATTRIBUTES, attributeCount, keysHash, false)
  if (plan === 0) return
  if (numberOf(plan) < 0) fail(UNSUPPORTED)
  else writeAttributes(PART_ATTRIBUTES, nesting(plan), PART_STARTS)
}

function writeEvent(from: usize, to: usize): void {
  let nameFrom: usize = 0
  let nameTo: usize = 0
  let time: usize = 0
  let dropped: u32 = 0
  attributeCount = 0
  keysHash = 0
  let at = from
  while (at < to) {
    const tag: u32 = load<u8>(at)
    if (tag === 9) {
      time = at + 1
      at += 9
      continue
    }
    const value = varint(at + 1)
    at = after()
    if (tag === 32) {
      dropped = value
      continue
    }
    const begin = at
    at += value
    if (at > to) break
    if (tag === 18) {
      nameFrom = begin
      nameTo = at
    } else if (tag === 26) {
      keysHash = addAttribute(PART_ATTRIBUTES, attributeCount, begin, at, keysHash)
      attributeCount++
    } else fail(UNSUPPORTED)
  }
  if (at !== to || failure() !== 0 || mayJudge(nameFrom, nameTo)) {
    fail(UNSUPPORTED)
    return
  }
  literal.write(literal.partName)
  writeUtf8(nameFrom, nameTo)
  literal.write(literal.eventTime)
  writeTimeOrNull(time)
  writePartAttributes()
  writeCount(literal.droppedAttributes, dropped)
  byte(CLOSE)
}

/** Whether an event of this name may say how the span was judged: as `JUDGEMENTS` ends. TypeScript makes feedback of it. */
function mayJudge(from: usize, to: usize): bool {
  if (to - from < 8) return false
  const end = load<u64>(to - 8)
  return end === 0x746c757365722e6e || end === 0x746c757365722e6c || end === 0x676e69646e69662e
}

/** Appends the time at `at`, `null` if that is 0. */
function writeTimeOrNull(at: usize): void {
  if (at === 0) letters(0x6c6c756e, 4)
  else writeTime(load<u64>(at))
}

function writeLink(from: usize, to: usize): void {
  let traceFrom: usize = 0
  let traceTo: usize = 0
  let spanFrom: usize = 0
  let spanTo: usize = 0
  let stateFrom: usize = 0
  let stateTo: usize = 0
  let dropped: u32 = 0
  let flags: u32 = 0
  attributeCount = 0
  keysHash = 0
  let at = from
  while (at < to) {
    const tag: u32 = load<u8>(at)
    if (tag === 53) {
      flags = load<u32>(at, 1)
      at += 5
      continue
    }
    const value = varint(at + 1)
    at = after()
    if (tag === 40) {
      dropped = value
      continue
    }
    const begin = at
    at += value
    if (at > to) break
    if (tag === 34) {
      keysHash = addAttribute(PART_ATTRIBUTES, attributeCount, begin, at, keysHash)
      attributeCount++
    } else if (tag === 10) {
      traceFrom = begin
      traceTo = at
    } else if (tag === 18) {
      spanFrom = begin
      spanTo = at
    } else if (tag === 26) {
      stateFrom = begin
      stateTo = at
    } else fail(UNSUPPORTED)
  }
  if (at !== to || failure() !== 0) {
    fail(UNSUPPORTED)
    return
  }
  literal.write(literal.linkTrace)
  hex(traceFrom, traceTo)
  literal.write(literal.linkSpan)
  hex(spanFrom, spanTo)
  literal.write(literal.linkState)
  writeUtf8(stateFrom, stateTo)
  writePartAttributes()
  writeCount(literal.droppedAttributes, dropped)
  writeCount(literal.flags, flags)
  byte(CLOSE)
}

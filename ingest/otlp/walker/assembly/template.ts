/** The span's text: its values between marks, by the template of spans like it. See `ingest/otlp/span-json.ts`. */
import { textFrom, textTo } from './attribute'
import { close, open } from './column'
import { origin as findOrigin, shape as findShape, template as makeByHost } from './host'
import { otel_origin, otel_shape, otel_span } from './layout'
import { attributeAt } from './lookup'
import { byte, copy, FULL, fail, failure, UNSUPPORTED } from './output'
import { writeTail } from './part'
import { countOf, memberOf, numberOf, templatesAt } from './plan'
import * as span from './span'
import { writeUtf8 } from './text'
import { writeNanos } from './time'

/** Between the values. */
const MARK: u32 = 1

/** The block whose dictionaries the numbers below belong to, and the number of the scope and resource in it. */
let dictionary: u32 = 0
let origin: i32 = -1

/** A template: the next one of its plan, what it is for, its number at the host, the block it was met in, its number there. */
function nextOf(template: usize): usize {
  return load<u32>(template)
}

function keyOf(template: usize): u32 {
  return load<u32>(template, 4)
}

function idOf(template: usize): i32 {
  return load<i32>(template, 8)
}

function attributesOf(template: usize): usize {
  return template + 20
}

/** From now on rows are of the block `number`. */
export function useBlock(number: u32): void {
  dictionary = number
  origin = -1
}

/** From now on spans have another scope or resource. */
export function forgetOrigin(): void {
  origin = -1
}

/** Writes the columns that hold the span's text. */
export function writeSpan(plan: usize, row: usize, inputs: i32, output: i32): void {
  const template = templateOf(plan, inputs, output)
  if (failure() !== 0) return
  if (origin < 0) origin = findOrigin()
  const shape = origin < 0 ? -1 : shapeOf(template)
  if (shape < 0) {
    fail(UNSUPPORTED)
    return
  }
  store<u16>(otel_origin + row * 2, origin)
  store<u16>(otel_shape + row * 2, shape)
  open(otel_span)
  writeUtf8(span.nameFrom, span.nameTo)
  byte(MARK)
  writeUtf8(span.stateFrom, span.stateTo)
  byte(MARK)
  writeNanos(load<u64>(span.start))
  if (span.end !== 0) {
    byte(MARK)
    writeNanos(load<u64>(span.end))
  }
  byte(MARK)
  writeUtf8(span.messageFrom, span.messageTo)
  const attributes = attributesOf(template)
  for (let i = 0; i < countOf(attributes); i++) {
    const attribute = attributeAt(memberOf(attributes, i))
    byte(MARK)
    copy(textFrom(attribute), textTo(attribute))
  }
  byte(MARK)
  writeTail()
  close(otel_span)
}

/** The template of the span at hand, made if there is none. */
function templateOf(plan: usize, inputs: i32, output: i32): usize {
  const kind = span.kind < 6 ? span.kind : 0
  const status = span.statusCode < 3 ? span.statusCode : 0
  const hasParent = span.parentIdFrom !== 0
  const hasEnd = span.end !== 0
  const head = ((kind * 3 + status) * 2 + (hasParent ? 1 : 0)) * 2 + (hasEnd ? 1 : 0)
  const key = (((output << 7) | inputs) << 7) | head
  let template: usize = load<u32>(templatesAt(plan))
  while (template !== 0 && keyOf(template) !== key) template = nextOf(template)
  if (template !== 0) return template
  template = makeByHost(numberOf(plan), kind, status, hasParent, hasEnd, inputs, output)
  if (template === 0) {
    fail(FULL)
    return 0
  }
  store<u32>(template, load<u32>(templatesAt(plan)))
  store<u32>(template, key, 4)
  store<u32>(templatesAt(plan), <u32>template)
  return template
}

/** Its number in the block. */
function shapeOf(template: usize): i32 {
  if (load<u32>(template, 12) !== dictionary) {
    const number = findShape(idOf(template))
    if (number < 0) return -1
    store<u32>(template, dictionary, 12)
    store<u32>(template, number, 16)
  }
  return load<i32>(template, 16)
}

/** The columns inputs, output and attributes of a call: see `ingest/otlp/call.ts` and `stored-attributes.ts`. */
import { textFrom, textTo } from './attribute'
import { close, columnEnd, open, setText } from './column'
import { answer, content } from './host'
import { attributes, output, STARTS, TEXT, TEXT_SIZE } from './layout'
import { addLeaf, addLeaves } from './leaves'
import * as literal from './literal'
import { addLeavesOf, attributeAt, first, from, to } from './lookup'
import { murmur3 } from './murmur'
import { byte, copy, FULL, fail, UNSUPPORTED } from './output'
import {
  attributesOf,
  bareCut,
  bareLeaves,
  countOf,
  hasOtelSpan,
  hasOwnUser,
  isOperation,
  isUnanswered,
  isUserUnclear,
  leavesOf,
  literalEnd,
  literalsOf,
  namedCut,
  nesting,
  openingEnd,
  openingOf,
  ownLeavesOf,
  ownOf,
  pathInside,
  pathOf,
  sourceLeaves,
  sourcesOf,
  targetOf,
  unwraps,
  valueAt,
  valuesOf,
} from './plan'
import { answerTarget, inputsRoot, kinds, kindsAt, modelTarget, outputRoot, userTarget } from './setup'

const COMMA: u32 = 44
const OPENING: u32 = 123
const QUOTE: u32 = 34
const MAX_OPERATION: usize = 64

/** The number of no cut. */
export const NO_CUT: i32 = 127

/** The size of the value written last. */
export let size: u32 = 0
/** Where the model's JSON stands; nowhere: both 0. */
export let modelFrom: usize = 0
export let modelTo: usize = 0
/** A hash of the JSON of the id that the provider gave its answer; 0: the span names none. */
export let answerHash: u32 = 0
/** Whether the column says who the user was. */
export let namesUser: bool = false

/** Writes inputs or output from `source`, which was found last; returns which cut of the span's text it is. */
export function writeValue(column: usize, source: usize): i32 {
  const begin = from
  const stop = to
  const bare = unwraps(source) && (column === output || load<u8>(begin) === 123)
  if (bare) {
    setText(column, begin, stop)
    size = <u32>(stop - begin)
    addLeavesOf(bareLeaves(source))
    return bareCut(source)
  }
  const question = isUnanswered(source) ? answer(begin, stop) : 0
  open(column)
  copy(openingOf(source), openingEnd(source))
  copy(begin, question === 0 ? stop : question)
  if (question !== 0) byte(93)
  byte(125)
  size = close(column)
  if (question === 0) {
    addLeavesOf(sourceLeaves(source))
    return namedCut(source)
  }
  addLeaves(inputsRoot(), columnEnd(column) - size, columnEnd(column))
  return NO_CUT
}

/** Writes inputs or output where the attributes have none; returns whether the events have. */
export function writeContent(column: usize, hasEvents: bool): bool {
  const isOutput = column === output
  size = 0
  const length = hasEvents ? content(isOutput, TEXT, TEXT + TEXT_SIZE) : -1
  if (length === -2) fail(FULL)
  if (length >= 0) {
    setText(column, TEXT, TEXT + length)
    size = length
    addLeaves(isOutput ? outputRoot() : inputsRoot(), TEXT, TEXT + length)
    return true
  }
  if (!isOutput) size = setEmpty(column)
  return false
}

/** Sets the value of a column to an object without anything; returns its size. */
export function setEmpty(column: usize): u32 {
  setText(column, literal.fromOf(literal.empty), literal.toOf(literal.empty))
  return 2
}

/** Writes the column attributes. `recognised`: something of the span went elsewhere. */
export function writeStored(plan: usize, recognised: bool): void {
  modelFrom = modelTo = 0
  answerHash = 0
  namesUser = hasOwnUser(plan)
  if (isUserUnclear(plan)) fail(UNSUPPORTED)
  open(attributes)
  let separator = OPENING
  const targets = attributesOf(plan)
  for (let i = 0; i < countOf(targets); i++) {
    const source = first(sourcesOf(targets, i))
    if (source === 0) continue
    const kind = isOperation(source) ? operationKind() : 0
    if (isOperation(source) && kind === 0) continue
    if (targetOf(targets, i) === modelTarget()) {
      modelFrom = from
      modelTo = to
    } else if (targetOf(targets, i) === userTarget()) namesUser = true
    else if (targetOf(targets, i) === answerTarget()) answerHash = murmur3(0, from, to)
    byte(separator)
    separator = COMMA
    copy(openingOf(source), openingEnd(source))
    if (kind !== 0) writeKind(kind, pathOf(source))
    else {
      copy(from, to)
      if (pathInside(source) < 0) addLeavesOf(sourceLeaves(source))
      else addLeaves(pathOf(source), from, to)
    }
  }
  if (separator === OPENING && !recognised) writeWhole(plan)
  else if (ownOf(plan) !== 0) {
    writeOwn(ownOf(plan), separator)
    addLeavesOf(ownLeavesOf(plan))
  } else if (separator === OPENING) literal.write(literal.empty)
  else byte(125)
  size = close(attributes)
}

/** Where the kind of the operation stands that was found last: of its name up to a space; 0 if it has none. */
function operationKind(): usize {
  if (<u32>load<u8>(from) !== QUOTE) return 0
  let end = from + 1
  while (end < to - 1 && load<u8>(end) !== 32) end++
  const length = end - from - 1
  if (length >= MAX_OPERATION) return 0
  for (let i = 0; i < kinds(); i++) {
    const kind = kindsAt() + i * 16
    const name = load<u32>(kind)
    if (load<u32>(kind, 4) - name === length && memory.compare(name, from + 1, length) === 0) return kind + 8
  }
  return 0
}

function writeKind(kind: usize, path: u32): void {
  const begin = load<u32>(kind)
  const stop = load<u32>(kind, 4)
  byte(QUOTE)
  copy(begin, stop)
  byte(QUOTE)
  addLeaf(path, begin, stop)
}

/** Appends what no convention owns as members of an object, and its end. */
function writeOwn(own: usize, separator: u32): void {
  byte(separator)
  const literals = literalsOf(own)
  const pieces = valuesOf(own)
  // In the place of the brace that its own text begins with.
  let begin = literals + 1
  for (let piece = 0; piece <= pieces; piece++) {
    const stop = literals + literalEnd(own, piece)
    copy(begin, stop)
    begin = stop
    if (piece === pieces) break
    const attribute = attributeAt(valueAt(own, piece))
    copy(textFrom(attribute), textTo(attribute))
  }
}

/** All the span's attributes. */
function writeWhole(plan: usize): void {
  if (hasOtelSpan(plan)) fail(UNSUPPORTED)
  const all = nesting(plan)
  const last = valuesOf(all)
  const length = literalEnd(all, last) - (last === 0 ? 0 : literalEnd(all, last - 1))
  copy(load<u32>(STARTS), load<u32>(STARTS + last * 4) + length)
  addLeavesOf(leavesOf(plan))
}

/** The counts of tokens of a call and what its sender says it cost: see `ingest/otlp/usage.ts`. */
import { close, open } from './column'
import { COSTS, COUNTS, summary } from './layout'
import * as literal from './literal'
import { first, from, NO_COUNT, to, toCount, toText } from './lookup'
import { byte, copy, letters, natural } from './output'
import { costsOf, countOf, isPositive, isUncached, sourcesOf, targetOf, usageOf } from './plan'
import {
  cacheCreationCount,
  cacheReadCount,
  completionCount,
  costNames,
  costs,
  countNames,
  counts,
  inputCount,
  outputCount,
  promptCount,
  totalCount,
} from './setup'

const COMMA: u32 = 44
const OPENING: u32 = 123
const MAX_AMOUNT: usize = 40
const AMOUNT_SIZE: usize = 48

let hasCosts = false

function countAt(n: usize): u64 {
  return load<u64>(COUNTS + n * 8)
}

function setCount(n: usize, value: u64): void {
  store<u64>(COUNTS + n * 8, value)
}

/** Finds the counts and costs of a span; returns whether there are any. */
export function findUsage(plan: usize): bool {
  const usage = usageOf(plan)
  const prices = costsOf(plan)
  hasCosts = false
  if (countOf(usage) === 0 && countOf(prices) === 0) return false
  for (let n: usize = 0; n < <usize>counts(); n++) setCount(n, NO_COUNT)
  let found = false
  let uncached = false
  for (let i = 0; i < countOf(usage); i++) {
    const source = first(sourcesOf(usage, i))
    if (source === 0) continue
    const count = toCount()
    if (count === NO_COUNT) continue
    if (isUncached(source)) uncached = true
    setCount(targetOf(usage, i), count)
    found = true
  }
  const output = countAt(outputCount())
  const input = countAt(inputCount())
  if (
    uncached &&
    input !== NO_COUNT &&
    countAt(totalCount()) !== input + (output === NO_COUNT ? 0 : output)
  ) {
    addToInput(cacheCreationCount())
    addToInput(cacheReadCount())
  }
  if (countAt(inputCount()) !== NO_COUNT) setCount(promptCount(), NO_COUNT)
  if (countAt(outputCount()) !== NO_COUNT) setCount(completionCount(), NO_COUNT)
  if (countAt(totalCount()) === NO_COUNT) setCount(totalCount(), total())
  if (countOf(prices) > 0) findCosts(prices)
  return found || hasCosts
}

function addToInput(n: usize): void {
  if (countAt(n) !== NO_COUNT) setCount(inputCount(), countAt(inputCount()) + countAt(n))
}

/** The total where none was sent but both its parts were. */
function total(): u64 {
  const prompt = countAt(promptCount())
  const completion = countAt(completionCount())
  if (prompt !== NO_COUNT && completion !== NO_COUNT) return prompt + completion
  const sent = countAt(inputCount())
  const received = countAt(outputCount())
  return sent !== NO_COUNT && received !== NO_COUNT ? sent + received : NO_COUNT
}

/** Keeps the texts of the costs: by number, a length and the bytes. */
function findCosts(prices: usize): void {
  for (let n: usize = 0; n < <usize>costs(); n++) store<u32>(COSTS + n * AMOUNT_SIZE, 0)
  for (let i = 0; i < countOf(prices); i++) {
    const source = first(sourcesOf(prices, i))
    if (source === 0 || !toText() || !isAmount() || (isPositive(source) && isZero())) continue
    const cost = COSTS + targetOf(prices, i) * AMOUNT_SIZE
    store<u32>(cost, <u32>(to - from))
    memory.copy(cost + 4, from, to - from)
    hasCosts = true
  }
}

function digits(at: usize): usize {
  let end = at
  while (end < to && <u32>load<u8>(end) - 48 <= 9) end++
  return end
}

/** Whether the text found last is the text of a JSON number that is not negative. */
function isAmount(): bool {
  if (to - from > MAX_AMOUNT) return false
  let at = digits(from)
  if (at === from || (load<u8>(from) === 48 && at !== from + 1)) return false
  if (at < to && load<u8>(at) === 46) {
    const end = digits(at + 1)
    if (end === at + 1) return false
    at = end
  }
  if (at < to && (load<u8>(at) | 32) === 101) {
    at++
    if (at < to && (load<u8>(at) === 43 || load<u8>(at) === 45)) at++
    const end = digits(at)
    if (end === at || end - at > 2) return false
    at = end
  }
  return at === to
}

/** Whether the amount found last is 0. */
function isZero(): bool {
  for (let at = from; at < to && (load<u8>(at) | 32) !== 101; at++) {
    if (load<u8>(at) !== 48 && load<u8>(at) !== 46) return false
  }
  return true
}

/** Appends the summary that has what was found, under the JSON string of the model, if there is one. */
export function writeUsage(modelFrom: usize, modelTo: usize): u32 {
  open(summary)
  literal.write(literal.usage)
  if (modelFrom < modelTo && load<u8>(modelFrom) === 34) copy(modelFrom, modelTo)
  else literal.write(literal.namelessUsage)
  byte(58)
  let separator = OPENING
  const names = countNames()
  for (let n: usize = 0; n < <usize>counts(); n++) {
    if (countAt(n) === NO_COUNT) continue
    byte(separator)
    separator = COMMA
    copy(load<u32>(names + n * 8), load<u32>(names + n * 8, 4))
    natural(countAt(n))
  }
  if (hasCosts) {
    for (let n: usize = 0; n < <usize>costs(); n++) {
      const length = load<u32>(COSTS + n * AMOUNT_SIZE)
      if (length === 0) continue
      byte(separator)
      separator = COMMA
      copy(load<u32>(costNames() + n * 8), load<u32>(costNames() + n * 8, 4))
      copy(COSTS + n * AMOUNT_SIZE + 4, COSTS + n * AMOUNT_SIZE + 4 + length)
    }
  }
  letters(0x7d7d7d, 3)
  return close(summary)
}

/**
 * A plan as words: how attributes nest as JSON text, and where the targets of the conventions find their values. Written
 * by `walker/plan-words.ts` from an `AttributePlan`, read here. Lists are a count and their members.
 */

export function nextOf(plan: usize): usize {
  return load<u32>(plan)
}

export function hashOf(plan: usize): u32 {
  return load<u32>(plan, 4)
}

export function setChain(plan: usize, next: usize, hash: u32): void {
  store<u32>(plan, <u32>next)
  store<u32>(plan, hash, 4)
}

export function keysOf(plan: usize): usize {
  return load<u32>(plan, 12)
}

/** Its number at the host; -1: messages with these keys are left to TypeScript. */
export function numberOf(plan: usize): i32 {
  return load<i32>(plan, 16)
}

export function nesting(plan: usize): usize {
  return load<u32>(plan, 20)
}

export function inputsOf(plan: usize): usize {
  return load<u32>(plan, 24)
}

export function outputOf(plan: usize): usize {
  return load<u32>(plan, 28)
}

export function usageOf(plan: usize): usize {
  return load<u32>(plan, 32)
}

export function costsOf(plan: usize): usize {
  return load<u32>(plan, 36)
}

export function attributesOf(plan: usize): usize {
  return load<u32>(plan, 40)
}

export function agentOf(plan: usize): usize {
  return load<u32>(plan, 44)
}

/** What no convention owns: a nesting, and its leaves; 0 if there is nothing. */
export function ownOf(plan: usize): usize {
  return load<u32>(plan, 48)
}

export function ownLeavesOf(plan: usize): usize {
  return load<u32>(plan, 52)
}

export function leavesOf(plan: usize): usize {
  return load<u32>(plan, 56)
}

export function hasOtelSpan(plan: usize): bool {
  return load<u32>(plan, 60) !== 0
}

/** Sources of values that TypeScript reads. */
export function unusualOf(plan: usize): usize {
  return load<u32>(plan, 64)
}

export function hasFields(plan: usize): bool {
  return (load<u32>(plan, 68) & 1) !== 0
}

/** Whether attributes that no convention owns say who the user was, or TypeScript has to look. */
export function hasOwnUser(plan: usize): bool {
  return (load<u32>(plan, 68) & 2) !== 0
}

export function isUserUnclear(plan: usize): bool {
  return (load<u32>(plan, 68) & 4) !== 0
}

export function threadOf(plan: usize): usize {
  return load<u32>(plan, 72)
}

export function ownThreadOf(plan: usize): usize {
  return load<u32>(plan, 76)
}

export function conversationOf(plan: usize): usize {
  return load<u32>(plan, 80)
}

export function isTurnOf(plan: usize): usize {
  return load<u32>(plan, 84)
}

export function displayNameOf(plan: usize): usize {
  return load<u32>(plan, 88)
}

export function levelOf(plan: usize): usize {
  return load<u32>(plan, 92)
}

export function errorMessageOf(plan: usize): usize {
  return load<u32>(plan, 96)
}

export function spanLeavesOf(plan: usize): usize {
  return load<u32>(plan, 100)
}

export function labelsOf(plan: usize): usize {
  return load<u32>(plan, 104)
}

export function firstTokenOf(plan: usize): usize {
  return load<u32>(plan, 108)
}

/** The first template; each knows the next. */
export function templatesAt(plan: usize): usize {
  return plan + 112
}

/** Of a nesting: its values, literals one after the other, where each ends, the attribute after each, marks of keys. */
export function valuesOf(nesting: usize): i32 {
  return load<i32>(nesting)
}

export function literalsOf(nesting: usize): usize {
  return load<u32>(nesting, 4)
}

export function literalEnd(nesting: usize, piece: i32): usize {
  return load<u32>(load<u32>(nesting, 8) + piece * 4)
}

export function valueAt(nesting: usize, piece: i32): i32 {
  return load<i32>(load<u32>(nesting, 12) + piece * 4)
}

/** Marks of an attribute: 1 for a credential, 2 for a text that is JSON. */
export function marksOf(nesting: usize, attribute: i32): u32 {
  return load<u8>(load<u32>(nesting, 16) + attribute)
}

/** Of a source: the attribute with its value, or a piece of the nested text. */
export function attributeOf(source: usize): i32 {
  return load<i32>(source)
}

/** The number at the host of the path inside the value; -1: all of it. */
export function pathInside(source: usize): i32 {
  return load<i32>(source, 4)
}

export function startPiece(source: usize): i32 {
  return load<i32>(source, 8)
}

export function startOffset(source: usize): i32 {
  return load<i32>(source, 12)
}

export function endPiece(source: usize): i32 {
  return load<i32>(source, 16)
}

export function endOffset(source: usize): i32 {
  return load<i32>(source, 20)
}

export function openingOf(source: usize): usize {
  return load<u32>(source, 24)
}

export function openingEnd(source: usize): usize {
  return load<u32>(source, 28)
}

export function pathOf(source: usize): u32 {
  return load<u32>(source, 32)
}

export function unwraps(source: usize): bool {
  return (load<u32>(source, 36) & 1) !== 0
}

export function isUnanswered(source: usize): bool {
  return (load<u32>(source, 36) & 2) !== 0
}

export function isOperation(source: usize): bool {
  return (load<u32>(source, 36) & 4) !== 0
}

export function isUncached(source: usize): bool {
  return (load<u32>(source, 36) & 8) !== 0
}

export function isPositive(source: usize): bool {
  return (load<u32>(source, 36) & 16) !== 0
}

/** Whether a plain text is passed over where another source has the messages. */
export function isNoText(source: usize): bool {
  return (load<u32>(source, 36) & 32) !== 0
}

/** What a time is given in: see `UNITS` in `walker/plan-words.ts`. */
export function unitOf(source: usize): i32 {
  return (load<i32>(source, 36) >> 6) & 3
}

export function cleanerOf(source: usize): usize {
  return load<u32>(source, 40)
}

export function sourceLeaves(source: usize): usize {
  return load<u32>(source, 44)
}

export function bareLeaves(source: usize): usize {
  return load<u32>(source, 48)
}

export function namedCut(source: usize): i32 {
  return load<i32>(source, 52)
}

export function bareCut(source: usize): i32 {
  return load<i32>(source, 56)
}

export function countOf(list: usize): i32 {
  return load<i32>(list)
}

/** The member `i` of a list of addresses or numbers. */
export function memberOf(list: usize, i: i32): u32 {
  return load<u32>(list + 4 + i * 4)
}

/** Of lists of targets: the number of target `i`, and its sources. */
export function targetOf(list: usize, i: i32): u32 {
  return load<u32>(list + 4 + i * 8)
}

export function sourcesOf(list: usize, i: i32): usize {
  return load<u32>(list + 8 + i * 8)
}

/** What the host has told once: tables that are TypeScript's. */
import { SETUP } from './layout'

/** The number at place `n`. */
function word(n: usize): u32 {
  return load<u32>(SETUP + n * 4)
}

/** Ends of credentials' keys: how many, pairs of four letters and the two before, and by letter whether one ends so. */
export function endings(): u32 {
  return word(0)
}

export function endingsAt(): usize {
  return word(1)
}

export function lastLetters(): u32 {
  return word(2)
}

/** Names of the counts, as JSON with a colon; which of them are what. */
export function countNames(): usize {
  return word(3)
}

export function counts(): i32 {
  return word(4)
}

export function inputCount(): usize {
  return word(5)
}

export function promptCount(): usize {
  return word(6)
}

export function outputCount(): usize {
  return word(7)
}

export function completionCount(): usize {
  return word(8)
}

export function totalCount(): usize {
  return word(9)
}

export function costNames(): usize {
  return word(10)
}

export function costs(): i32 {
  return word(11)
}

/** The kinds of operations: how many, and four numbers of each (where the name and the kind stand). */
export function kinds(): i32 {
  return word(12)
}

export function kindsAt(): usize {
  return word(13)
}

/** The hashes of the columns as beginnings of paths. */
export function inputsRoot(): u32 {
  return word(14)
}

export function outputRoot(): u32 {
  return word(15)
}

/** Which targets of the column attributes are the model, the user and the answer's id. */
export function modelTarget(): u32 {
  return word(16)
}

export function userTarget(): u32 {
  return word(17)
}

export function cacheCreationCount(): usize {
  return word(18)
}

export function cacheReadCount(): usize {
  return word(19)
}

export function answerTarget(): u32 {
  return word(20)
}

/** All rules as bytes that threads share, and what a thread makes of them, once. */
import { z } from 'zod'
import { RulesByScope, StoredRules } from './rules-by-scope.js'

/** Rules for a thread; with each change there is another one. */
export interface Snapshot {
  readonly number: number
  readonly bytes: SharedArrayBuffer
}

const All = z.array(StoredRules)

/** One for each set of rules of this process, in whichever store they are. */
let numbers = 0

/** The rules, to be shared. */
export function snapshotOf(stored: readonly StoredRules[]): Snapshot {
  const text = Buffer.from(JSON.stringify(stored))
  const bytes = new SharedArrayBuffer(text.length)
  Buffer.from(bytes).set(text)
  return { number: ++numbers, bytes }
}

let last: { number: number; rules: RulesByScope } | undefined

/** The rules of a snapshot; made once while it is the newest. */
export function rulesOf({ number, bytes }: Snapshot): RulesByScope {
  if (last?.number !== number)
    last = { number, rules: new RulesByScope(All.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))) }
  return last.rules
}

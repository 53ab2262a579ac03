/** All rules as bytes that threads share, and what a thread makes of them, once. */
import { z } from 'zod'
import { Book, StoredRules } from './book.js'

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

let last: { number: number; book: Book } | undefined

/** The rules of a snapshot; made once while it is the newest. */
export function bookOf({ number, bytes }: Snapshot): Book {
  if (last?.number !== number)
    last = { number, book: new Book(All.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))) }
  return last.book
}

/**
 * Chains of the audit log: makes lines that follow each other, and finds what was done to them since. Pure.
 *
 * A line can't be changed, moved or taken out of a chain without a trace: its hash is of its place and of the line
 * before. The last lines of a chain can: that is found by heads, which later chains begin with, and which operators note
 * elsewhere.
 */
import { type AuditLine, type Entry, type Head, hashOf } from './line.js'

/** Puts entries at the end of a chain. @param at µs since the epoch */
export function chained({ chain, seq, hash }: Head, entries: readonly Entry[], at: number): AuditLine[] {
  const lines: AuditLine[] = []
  let prevHash = hash
  for (const [i, entry] of entries.entries()) {
    const line = { ...entry, chain, seq: seq + i + 1, at, prevHash }
    prevHash = hashOf(line)
    lines.push({ ...line, hash: prevHash })
  }
  return lines
}

/** What is wrong, and where. */
export interface Problem {
  kind: 'changed' | 'missing' | 'cut' | 'duplicate'
  chain: string
  seq: number
  /** one sentence */
  message: string
}

export interface Verified {
  lines: number
  /** of every chain, by its name */
  heads: Head[]
  /** the first of them */
  problems: Problem[]
  problemCount: number
}

const MOST_PROBLEMS = 1000

/** Reads lines by chain and number, and says what is wrong with them. */
export class Verification {
  private lines = 0
  private readonly heads = new Map<string, Head>()
  private readonly problems: Problem[] = []
  private problemCount = 0
  /** by chain and number: the hashes that somebody saw there */
  private readonly seen = new Map<string, Set<string>>()
  private last: Head | undefined

  /** @param seen ends of chains that were noted before */
  constructor(seen: Iterable<Head>) {
    for (const head of seen) {
      if (head.seq < 1) continue
      const place = placeOf(head)
      this.seen.set(place, (this.seen.get(place) ?? new Set()).add(head.hash))
    }
  }

  /** The next line, in the order of chains and numbers. */
  add(line: AuditLine): void {
    const { chain, seq, hash, prevHash } = line
    this.lines++
    const before = this.last?.chain === chain ? this.last : { chain, seq: 0, hash: '' }
    const place = placeOf(line)
    if (seq === before.seq) this.found('duplicate', line, `The number ${seq} is there twice.`)
    else if (seq > before.seq + 1) this.missing(chain, before.seq + 1, seq - 1)
    else if (prevHash !== before.hash)
      this.found('changed', line, 'It does not follow the line before: one of the two was changed.')
    const known = this.seen.get(place)
    this.seen.delete(place)
    if (hashOf(line) !== hash) this.found('changed', line, 'It was changed: its hash is of something else.')
    else if (known !== undefined && (known.size > 1 || !known.has(hash)))
      this.found('changed', line, 'Another line was here when the end of this chain was noted.')
    this.last = { chain, seq, hash }
    this.heads.set(chain, this.last)
  }

  /** The result, after the last line. */
  end(): Verified {
    const reached = new Map<string, number>()
    for (const { chain, seq } of [...this.seen.keys()].map(placeFrom))
      reached.set(chain, Math.max(seq, reached.get(chain) ?? 0))
    for (const [chain, seq] of reached) {
      const there = this.heads.get(chain)?.seq ?? 0
      // A gap before the end of a chain is reported already.
      if (seq <= there) continue
      const what = there === 0 ? 'The whole chain is gone' : `What came after line ${there} is gone`
      this.found('cut', { chain, seq }, `${what}: it once reached line ${seq}.`)
    }
    const { lines, problems, problemCount } = this
    return { lines, heads: [...this.heads.values()], problems, problemCount }
  }

  private missing(chain: string, from: number, to: number): void {
    const which = from === to ? `Line ${from} is` : `Lines ${from} to ${to} are`
    this.found('missing', { chain, seq: from }, `${which} missing.`)
  }

  private found(
    kind: Problem['kind'],
    { chain, seq }: Pick<Problem, 'chain' | 'seq'>,
    message: string,
  ): void {
    this.problemCount++
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ kind, chain, seq, message })
  }
}

const placeOf = ({ chain, seq }: Pick<Head, 'chain' | 'seq'>) => `${seq} ${chain}`

function placeFrom(place: string): Pick<Head, 'chain' | 'seq'> {
  const space = place.indexOf(' ')
  return { seq: Number(place.slice(0, space)), chain: place.slice(space + 1) }
}

/** The heads that lines tell of which begin chains. */
export function headsIn(lines: Iterable<Pick<AuditLine, 'phase' | 'target'>>): Head[] {
  const heads: Head[] = []
  for (const { phase, target } of lines) if (phase === 'heads') heads.push(...headsOf(target))
  return heads
}

/** Those of one line; none if somebody has changed it, which its hash tells. */
function headsOf(target: string): Head[] {
  try {
    const { heads } = JSON.parse(target) as { heads: [string, number, string][] }
    return heads.map(([chain, seq, hash]) => ({ chain, seq, hash }))
  } catch {
    return []
  }
}

/** The ends of chains that no other chain tells of yet: by these, and what they tell of, all others are known. */
export function untold(heads: readonly Head[], told: readonly Head[]): Head[] {
  const known = new Set(told.map((head) => `${placeOf(head)} ${head.hash}`))
  return heads.filter((head) => !known.has(`${placeOf(head)} ${head.hash}`))
}

/** What the first line of a chain tells. */
export function headsTarget(heads: readonly Head[]): string {
  return JSON.stringify({ heads: heads.map(({ chain, seq, hash }) => [chain, seq, hash]) })
}

/** Whatever is done to lines of the log is found, and nothing is found where nothing was done. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chained, headsIn, headsTarget, untold, Verification, type Verified } from './chain.js'
import type { AuditLine, Entry, Head } from './line.js'

const text = fc.string({ unit: 'binary', maxLength: 12 })
const entry: fc.Arbitrary<Entry> = fc.record({
  ...{ action: text, userId: text, username: text, keyId: text, remoteAddress: text, forwardedFor: text },
  ...{ requestId: text, entity: text, project: text, id: text, errorCode: text },
  category: fc.constantFrom('access', 'deletion'),
  phase: fc.constantFrom('begin', 'end', 'done', 'refused', 'counted'),
  beganAt: fc.nat(),
  target: fc.json({ maxDepth: 1 }),
  status: fc.nat(599),
})

/** Chains in the order in which they were begun, each with the ends of those before. */
const chains = fc
  .array(fc.array(entry, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 })
  .map((all) => {
    const lines: AuditLine[] = []
    for (const [i, entries] of all.entries()) {
      const heads = headsOf(lines)
      const first = {
        ...entries[0]!,
        phase: 'heads' as const,
        target: headsTarget(untold(heads, headsIn(lines))),
      }
      lines.push(...chained({ chain: `chain-${i}`, seq: 0, hash: '' }, [first, ...entries], i))
    }
    return lines
  })

const headsOf = (lines: readonly AuditLine[]): Head[] => verified(lines).heads
/** Those that are shown to be noted. */
const notedOf = (lines: readonly AuditLine[]): Head[] => untold(headsOf(lines), headsIn(lines))

function verified(lines: readonly AuditLine[], noted: readonly Head[] = []): Verified {
  const check = new Verification([...headsIn(lines), ...noted])
  for (const line of lines) check.add(line)
  return check.end()
}

const at = <T>(items: readonly T[], part: number): number =>
  Math.min(items.length - 1, Math.floor(part * items.length))
const part = fc.double({ min: 0, max: 1, noNaN: true })

it('finds nothing in chains as they were written, whoever noted their ends at any time', () =>
  fc.assert(
    fc.property(chains, part, (lines, some) => {
      const { problems, heads } = verified(lines, notedOf(lines.slice(0, at(lines, some) + 1)))
      expect(problems).toEqual([])
      expect(verified(lines, heads)).toMatchObject({ lines: lines.length, problemCount: 0 })
    }),
  ))

it('goes on where a chain ended', () =>
  fc.assert(
    fc.property(fc.array(entry, { minLength: 2, maxLength: 9 }), part, (entries, some) => {
      const start = { chain: 'one', seq: 0, hash: '' }
      const cut = at(entries, some)
      const before = chained(start, entries.slice(0, cut), 1)
      const { seq = 0, hash = '' } = before.at(-1) ?? {}
      const after = chained({ chain: 'one', seq, hash }, entries.slice(cut), 1)
      expect([...before, ...after]).toEqual(chained(start, entries, 1))
    }),
  ))

/** Fields of a line, and another value of the same type. */
const CHANGES: { [Field in keyof AuditLine]: (value: AuditLine[Field]) => AuditLine[Field] } = {
  ...{ chain: (value) => `${value}x`, seq: (value) => value + 1, at: (value) => value + 1 },
  ...{ beganAt: (value) => value + 1, status: (value) => value + 1 },
  phase: (value) => (value === 'begin' ? 'end' : 'begin'),
  category: (value) => (value === 'access' ? 'deletion' : 'access'),
  ...{ id: other, requestId: other, action: other, userId: other, username: other, keyId: other },
  ...{ remoteAddress: other, forwardedFor: other, entity: other, project: other, target: other },
  ...{ errorCode: other, prevHash: other, hash: other },
}
function other(value: string): string {
  return `${value}.`
}

describe('with the ends noted elsewhere, it finds', () => {
  it.each(Object.keys(CHANGES) as (keyof AuditLine)[])('any change of %s', (field) =>
    fc.assert(
      fc.property(chains, part, (lines, some) => {
        const i = at(lines, some)
        const line = lines[i]!
        const change = CHANGES[field] as (value: unknown) => unknown
        const changed = lines.with(i, { ...line, [field]: change(line[field]) })
        expect(verified(changed, notedOf(lines)).problemCount).toBeGreaterThan(0)
      }),
    ),
  )

  it('any deletion', () =>
    fc.assert(
      fc.property(chains, part, part, (lines, from, count) => {
        const i = at(lines, from)
        const left = lines.toSpliced(i, 1 + at(lines.slice(i), count))
        const { problems } = verified(left, notedOf(lines))
        expect(problems.map(({ kind }) => kind)).toEqual(
          expect.arrayContaining([expect.stringMatching(/^(missing|cut)$/)]),
        )
      }),
    ))

  it('any two lines that changed places', () =>
    fc.assert(
      fc.property(chains, part, part, (lines, one, two) => {
        const [i, j] = [at(lines, one), at(lines, two)]
        fc.pre(i !== j)
        const place = ({ chain, seq }: AuditLine) => ({ chain, seq })
        const moved = lines
          .with(i, { ...lines[j]!, ...place(lines[i]!) })
          .with(j, { ...lines[i]!, ...place(lines[j]!) })
        expect(verified(moved, notedOf(lines)).problemCount).toBeGreaterThan(0)
      }),
    ))

  it('a line that is there twice', () =>
    fc.assert(
      fc.property(chains, part, (lines, some) => {
        const i = at(lines, some)
        const { problems } = verified(lines.toSpliced(i, 0, lines[i]!), notedOf(lines))
        expect(problems).toContainEqual(expect.objectContaining({ kind: 'duplicate', seq: lines[i]!.seq }))
      }),
    ))

  it('a chain that was written anew from some line on', () =>
    fc.assert(
      fc.property(chains, part, (lines, some) => {
        const i = at(lines, some)
        const { chain, seq, prevHash: hash } = lines[i]!
        const tail = lines.filter((line) => line.chain === chain && line.seq >= seq)
        const forged = tail.map((line) => ({ ...line, username: `${line.username}.` }))
        const anew = chained({ chain, seq: seq - 1, hash }, forged, forged[0]!.at)
        const isTail = (line: AuditLine) => line.chain === chain && line.seq >= seq
        const all = lines.map((line) => (isTail(line) ? anew[line.seq - seq]! : line))
        expect(verified(all, notedOf(lines)).problemCount).toBeGreaterThan(0)
      }),
    ))
})

it('finds a cut end of an older chain by what the next one begins with', () =>
  fc.assert(
    fc.property(chains, part, (lines, some) => {
      const last = lines.at(-1)!.chain
      const older = lines.filter(({ chain }) => chain !== last)
      fc.pre(older.length > 0)
      const { chain, seq } = older[at(older, some)]!
      const { problems } = verified(lines.filter((line) => line.chain !== chain || line.seq < seq))
      expect(problems).toContainEqual(expect.objectContaining({ kind: 'cut', chain }))
    }),
  ))

it('tells each end once, in the chain that follows it', () =>
  fc.assert(
    fc.property(chains, (lines) => {
      const told = headsIn(lines).map(({ chain, seq }) => `${chain} ${seq}`)
      expect(new Set(told).size).toBe(told.length)
      expect(new Set(lines.map(({ chain }) => chain)).size).toBe(told.length + 1)
    }),
  ))

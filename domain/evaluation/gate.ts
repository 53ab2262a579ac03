/**
 * Judges a run of an evaluation beside another one: whether a score is below its minimum, or fell by more than is allowed
 * and than chance explains. Pure.
 */
import { type Confidence, difference, type Interval, intervalOf, type Pair } from './bootstrap.js'
import { type ScoreKind, type Tally, type Trial, tallyOf } from './outcome.js'

/** Of intervals, and for drawing samples, unless somebody says otherwise. */
export const CONFIDENCE: Confidence = 95
export const SEED = 1

/** What both runs made of a row of data. */
export interface GateRow {
  digest: string
  before: readonly Trial[]
  after: readonly Trial[]
}

export interface Rule {
  /** the path of a score: scorer, and keys inside its score, joined by dots */
  score: string
  kind: ScoreKind
  lowerIsBetter: boolean
  /** the least that it may reach; where less is better, the most */
  limit: number | undefined
  /** by how much it may get worse */
  maxRegression: number
}

/** A row on which the later run does worse. */
export interface WorseRow {
  digest: string
  before: number
  after: number
}

export interface Judged {
  rule: Rule
  rows: number
  before: number
  after: number
  /** how much worse it got; negative: better */
  worseBy: number
  /** of `worseBy`; undefined: of one row */
  interval: Interval | undefined
  /** trials that ended without the score */
  missing: { before: number; after: number }
  /** what those count as */
  missingCountsAs: number
  verdict: 'passed' | 'failed'
  /** plain sentences: what it failed for, and what may be chance */
  because: string[]
  /** the worst first */
  worse: WorseRow[]
}

/** @param rows that both runs have, at least one; each with a trial that ended in both */
export function judge(rows: readonly GateRow[], rule: Rule, confidence: Confidence, seed: number): Judged {
  const { lowerIsBetter, score } = rule
  const tallies = rows.map(({ before, after }) => ({
    before: tallyOf(before, score),
    after: tallyOf(after, score),
  }))
  const { pairs, missingCountsAs } = pairsOf(tallies, rule)
  const sign = lowerIsBetter ? 1 : -1
  const interval = intervalOf(pairs, confidence, seed)
  const [before, after] = (['before', 'after'] as const).map((side) =>
    mean(
      pairs.reduce(
        (all, pair) => ({ sum: all.sum + pair[side].sum, trials: all.trials + pair[side].trials }),
        NONE,
      ),
    ),
  ) as [number, number]
  const judged = {
    ...{ rule, rows: rows.length, before, after, missingCountsAs },
    worseBy: sign * difference(pairs) + 0,
    interval: interval && (lowerIsBetter ? interval : { low: 0 - interval.high, high: 0 - interval.low }),
    missing: { before: lacking(tallies, 'before'), after: lacking(tallies, 'after') },
  }
  const worse = pairs.flatMap((pair, i) => {
    const row = { digest: rows[i]!.digest, before: mean(pair.before), after: mean(pair.after) }
    return sign * (row.after - row.before) > 0 ? [row] : []
  })
  worse.sort((a, b) => sign * (b.after - b.before - (a.after - a.before)) || (a.digest < b.digest ? -1 : 1))
  return { ...judged, ...verdictOf(judged, confidence), worse }
}

/** What both runs made of a row. */
export type Tallies = Record<'before' | 'after', Tally>

/**
 * The rows as pairs of scores. A trial that ended without the score counts as the worst one of both runs; of a share, as 0.
 * @param tallies of rows with a trial that ended in both
 */
export function pairsOf(
  tallies: readonly Tallies[],
  { kind, lowerIsBetter }: Pick<Rule, 'kind' | 'lowerIsBetter'>,
): { pairs: Pair[]; missingCountsAs: number } {
  const missingCountsAs = kind === 'share' ? 0 : worstOf(tallies, lowerIsBetter)
  const whole = ({ sum, scored, ended }: Tally) => ({
    sum: sum + (ended - scored) * missingCountsAs,
    trials: ended,
  })
  return {
    pairs: tallies.map(({ before, after }) => ({ before: whole(before), after: whole(after) })),
    missingCountsAs,
  }
}

const NONE = { sum: 0, trials: 0 }
const mean = ({ sum, trials }: { sum: number; trials: number }) => sum / trials

function lacking(tallies: readonly Tallies[], side: 'before' | 'after'): number {
  return tallies.reduce((all, one) => all + one[side].ended - one[side].scored, 0)
}

/** The worst score of both runs, which is what a trial without one counts as. */
function worstOf(tallies: readonly Tallies[], lowerIsBetter: boolean): number {
  const all = tallies.flatMap(({ before, after }) => [before, after])
  const worst = all.reduce(
    (found, { least, most }) => (lowerIsBetter ? Math.max(found, most) : Math.min(found, least)),
    lowerIsBetter ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  )
  return Number.isFinite(worst) ? worst : 0
}

function verdictOf(
  { rule, rows, after, worseBy, interval }: Pick<Judged, 'rule' | 'rows' | 'after' | 'worseBy' | 'interval'>,
  confidence: Confidence,
): Pick<Judged, 'verdict' | 'because'> {
  const { limit, lowerIsBetter, maxRegression } = rule
  const because: string[] = []
  const isPast = limit !== undefined && (lowerIsBetter ? after > limit : after < limit)
  if (isPast)
    because.push(
      `${figure(after)} is ${lowerIsBetter ? 'above the maximum' : 'below the minimum'} of ${figure(limit)}`,
    )
  // Rounding of sums must not fail what may fall by exactly so much.
  const isMore = worseBy > maxRegression + 1e-9
  const isSure = interval !== undefined && interval.low > maxRegression + 1e-9
  const allowed = `${figure(maxRegression)} is allowed`
  if (isSure) because.push(`${statement(worseBy, interval, confidence)}; ${allowed}`)
  else if (isMore && rows === 1)
    because.push(`worse by ${figure(worseBy)}, but one row can't show whether by chance`)
  else if (isMore) because.push(`${statement(worseBy, interval, confidence)}: it may be chance (${allowed})`)
  return { verdict: isPast || isSure ? 'failed' : 'passed', because }
}

/** `worse by 0.04, 95 % interval 0.01 to 0.07`. */
export function statement(worseBy: number, interval: Interval | undefined, confidence: Confidence): string {
  const isBetter = worseBy < 0
  const size =
    worseBy === 0 ? 'no difference' : `${isBetter ? 'better' : 'worse'} by ${figure(Math.abs(worseBy))}`
  if (interval === undefined) return size
  const { low, high } = isBetter ? { low: 0 - interval.high, high: 0 - interval.low } : interval
  return low === high ? size : `${size}, ${confidence} % interval ${figure(low)} to ${figure(high)}`
}

/** A number with three digits that say something. */
export function figure(value: number): string {
  return String(Number(value.toPrecision(3)) + 0)
}

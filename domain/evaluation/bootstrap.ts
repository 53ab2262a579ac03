/**
 * How sure a difference between two runs is: a paired bootstrap over the rows that both have. The same rows give the same
 * interval, in whatever order they come. Pure.
 */

/** What a run made of one row: the sum of its scores, and of how many trials. */
export interface Scored {
  sum: number
  trials: number
}

/** What two runs made of one row. */
export interface Pair {
  before: Scored
  after: Scored
}

export type Confidence = keyof typeof Z

/** How far from the middle the normal distribution has this share. */
const Z = { 90: 1.6448536269514722, 95: 1.959963984540054, 99: 2.5758293035489004 }

/** The most resamples. */
const SAMPLES = 10_000
/** Rows that are drawn in all: with many rows, fewer resamples do. */
const DRAWS = 50_000_000

export interface Interval {
  low: number
  high: number
}

/** By how much the mean over all trials grew; at least one row. */
export function difference(pairs: readonly Pair[]): number {
  let [before, after, trialsBefore, trialsAfter] = [0, 0, 0, 0]
  for (const pair of pairs) {
    before += pair.before.sum
    trialsBefore += pair.before.trials
    after += pair.after.sum
    trialsAfter += pair.after.trials
  }
  return after / trialsAfter - before / trialsBefore
}

/**
 * The interval of {@link difference} if other rows of the same kind had been asked.
 * @returns undefined for a single row, which says nothing of others
 */
export function intervalOf(
  pairs: readonly Pair[],
  confidence: Confidence,
  seed: number,
): Interval | undefined {
  const n = pairs.length
  if (n < 2) return undefined
  const columns = inOrder(pairs)
  const samples = Math.max(1000, Math.min(SAMPLES, Math.floor(DRAWS / n)))
  const random = generator(seed)
  const found = new Float64Array(samples)
  for (let sample = 0; sample < samples; sample++) {
    let [before, after, trialsBefore, trialsAfter] = [0, 0, 0, 0]
    for (let i = 0; i < n; i++) {
      const at = 4 * Math.floor(random() * n)
      before += columns[at]!
      trialsBefore += columns[at + 1]!
      after += columns[at + 2]!
      trialsAfter += columns[at + 3]!
    }
    found[sample] = after / trialsAfter - before / trialsBefore
  }
  found.sort()
  const cut = Math.floor(tailOf(n, confidence) * samples)
  return { low: found[cut]!, high: found[samples - 1 - cut]! }
}

/**
 * The interval of the mean of one run over all trials, by the same resampling.
 * @returns undefined for a single row
 */
export function intervalOfMean(
  rows: readonly Scored[],
  confidence: Confidence,
  seed: number,
): Interval | undefined {
  // As the difference to a run in which each row had 0.
  const pairs = rows.map((after): Pair => ({ before: { sum: 0, trials: 1 }, after }))
  return intervalOf(pairs, confidence, seed)
}

/** The numbers of all pairs one after the other, sorted, so that the order of the rows makes no difference. */
function inOrder(pairs: readonly Pair[]): Float64Array {
  const rows = pairs.map(({ before, after }) => [before.sum, before.trials, after.sum, after.trials])
  rows.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]! || a[3]! - b[3]!)
  return Float64Array.from(rows.flat())
}

/**
 * The share of resamples to cut off at each end. Those of few rows vary less than the rows themselves do, so less is cut
 * off than half of what the confidence leaves: as much as makes a normal interval one by Student's t (Hesterberg's
 * expanded percentiles).
 */
export function tailOf(n: number, confidence: Confidence): number {
  return tailBeyond(studentT(Z[confidence], n - 1) * Math.sqrt(n / (n - 1)))
}

/** The quantile of Student's distribution that the normal one has at `z`, by the expansion of Cornish and Fisher. */
function studentT(z: number, freedom: number): number {
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  )
}

/** The share of the normal distribution beyond `x`, which is over 1, by Laplace's continued fraction. */
function tailBeyond(x: number): number {
  let below = x
  for (let k = 100; k > 0; k--) below = x + k / below
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / below
}

/** Numbers from 0 to below 1, by a shift register of 32 bits (Marsaglia's). */
function generator(seed: number): () => number {
  // The register must not be 0; neighbouring seeds must begin far apart.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

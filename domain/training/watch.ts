/**
 * Watches whether a model learns to please its reward instead of what is wanted: the training reward rises while the score
 * on data that it does not learn from falls. Pure.
 */

export interface Check {
  /** of the checkpoint; 0: the base model */
  step: number
  /** the mean reward of the answers that are trained on next: they were sampled from about this checkpoint */
  reward: number
  /** the mean score of the held-out rows */
  held_out: number
}

export interface WatchRule {
  /** how many of the last checks are looked at */
  window: number
  /** the least change over the window that counts, of both curves */
  min_change: number
}

export interface Verdict {
  pause: boolean
  /** slope × length of the window: how much the reward rose, by a line through the checks */
  reward_change: number
  held_out_change: number
}

/**
 * Looks at the last `window` checks. Each curve is a line by Theil and Sen (the median of the slopes of all pairs of
 * checks), which a single odd check does not turn. The job is to pause if over the window the line of the reward rises by at least
 * `min_change` and that of the held-out score falls by at least `min_change`.
 * @param checks in order of their steps; fewer than the window: no verdict
 */
export function verdict(checks: readonly Check[], { window, min_change: least }: WatchRule): Verdict {
  const seen = checks.slice(-window)
  const length = (seen.at(-1)?.step ?? 0) - (seen[0]?.step ?? 0)
  const change = (of: 'reward' | 'held_out') =>
    length === 0 ? 0 : theilSen(seen.map((check) => [check.step, check[of]])) * length
  const reward = change('reward')
  const heldOut = change('held_out')
  const pause = seen.length >= window && reward >= least && heldOut <= -least
  return { pause, reward_change: reward, held_out_change: heldOut }
}

/** The median slope of all pairs of points with different x; 0 without such a pair. */
export function theilSen(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], i) =>
    points.slice(i + 1).flatMap(([a, b]) => (a === x ? [] : [(b - y) / (a - x)])),
  )
  slopes.sort((one, other) => one - other)
  const middle = slopes.length / 2
  if (slopes.length === 0) return 0
  if (slopes.length % 2 === 1) return slopes[Math.floor(middle)]!
  return (slopes[middle - 1]! + slopes[middle]!) / 2
}

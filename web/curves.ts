/** Metrics of training jobs as lines over steps: what the pages show and `heddle curves` draws. Pure. */

export interface JobPoints {
  label: string
  /** of which it is a job; jobs of one model may be joined */
  model: string
  points: readonly { step: number; metrics: Readonly<Record<string, number>> }[]
}

/** Step and value. */
export type Point = readonly [number, number]

export interface Series {
  label: string
  colour: string
  points: readonly Point[]
}

/** Told apart also by those who see red and green as one (Okabe and Ito's order, without yellow). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#555555']

/** The colour of the line at this place. */
export const colourOf = (place: number): string => COLOURS[place % COLOURS.length]!

/** Names of metrics as heads, those that matter first; everything else is shown under its own name. */
const TITLES = new Map([
  ['loss', 'Loss'],
  ['policy_loss', 'Policy loss'],
  ['reward', 'Reward'],
  ['held_out', 'Held-out score'],
  ['rewards/accuracies', 'Chosen answers preferred, share'],
  ['rewards/margins', 'Reward, chosen less rejected'],
  ['kl', 'KL estimate of the batch'],
  ['reward_std_dev', 'Reward, standard deviation'],
  ['kl_policy_ref', 'KL to the reference'],
  ['kl_div', 'KL'],
  ['entropy', 'Entropy'],
  ['grad_norm', 'Gradient norm'],
  ['learning_rate', 'Learning rate'],
  ['tokens_per_second', 'Tokens/s'],
  ['performance/mfu', 'Model FLOPs utilisation'],
  ['performance/memory_bytes', 'Memory, bytes'],
])

/** A larger one has no place on an axis. */
const LARGEST = 1e300

/** Those shown where nothing else is asked for. */
const USUAL = 13

export function titleOf(name: string): string {
  return TITLES.get(name) ?? name
}

/** Which of these metrics to show: the well-known ones, in their order. */
export function usualMetrics(jobs: readonly JobPoints[]): string[] {
  const there = new Set(jobs.flatMap(({ points }) => points.flatMap(({ metrics }) => Object.keys(metrics))))
  return [...TITLES.keys()].slice(0, USUAL).filter((name) => there.has(name))
}

/**
 * Jobs of one model as one line: each goes on at the step where the one before it ended. Reinforcement learning makes many
 * jobs of few steps. @param jobs of a model in their order; the first one's label names the line
 */
export function joined(jobs: readonly JobPoints[]): JobPoints[] {
  const lines = new Map<string, JobPoints & { points: JobPoints['points'][number][] }>()
  for (const { model, label, points } of jobs) {
    const line = lines.get(model) ?? { label, model, points: [] }
    lines.set(model, line)
    const from = line.points.at(-1)?.step ?? 0
    line.points.push(...points.map((point) => ({ ...point, step: from + point.step })))
  }
  return [...lines.values()]
}

/** A metric of each job as lines. @param smooth 0 to 0.99: the share of what came before in each value */
export function seriesOf(jobs: readonly JobPoints[], name: string, smooth = 0): Series[] {
  return jobs
    .map(({ label, points }, i) => ({
      label,
      colour: colourOf(i),
      points: smoothed(
        points
          .map(({ step, metrics }): Point => [step, metrics[name] ?? Number.NaN])
          .filter(([, value]) => Math.abs(value) < LARGEST),
        smooth,
      ),
    }))
    .filter(({ points }) => points.length > 0)
}

/** Exponential moving average, without the pull of its start towards zero. */
function smoothed(points: readonly Point[], smooth: number): readonly Point[] {
  if (!(smooth > 0)) return points
  let sum = 0
  let weight = 0
  return points.map(([step, value]): Point => {
    sum = smooth * sum + (1 - smooth) * value
    weight = smooth * weight + (1 - smooth)
    return [step, sum / weight]
  })
}

/** A number as short as an axis needs it. */
export function short(value: number): string {
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size >= 1e15 || size < 1e-3) return Number(value.toPrecision(3)).toExponential()
  for (const [unit, name] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const)
    if (size >= unit) return `${trim(value / (name === 'k' ? 1e3 : unit))}${name}`
  return trim(value)
}

function trim(value: number): string {
  return String(Number(value.toPrecision(4)))
}

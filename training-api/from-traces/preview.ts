/** Previews training data: the first examples, counts, and why rows are left out. */
import type { TrainingDataPreview } from '../../contract/training-data.js'
import type { JobKind } from '../../domain/training/jobs.js'
import type { LeftOut } from './left-out.js'
import type { Outcome } from './outcome.js'

type Reasons = TrainingDataPreview['left_out']

/** The most ids shown per reason. */
const IDS = 5
/** The most distinct reasons: sentences may name fields. */
const REASONS = 50

/** Counts examples and the rows left out. */
export class Tally {
  examples = 0
  used = 0
  leftOut = 0
  private sum = 0
  private rewarded = 0
  private readonly reasons = new Map<string, Reasons[number]>()

  count(outcome: Outcome): void {
    if ('left' in outcome) {
      this.leave(outcome.left, outcome.id)
      return
    }
    this.examples++
    this.used += outcome.ids.length
    for (const reward of outcome.rewards) {
      if (reward === undefined) continue
      this.sum += reward
      this.rewarded++
    }
  }

  get meanReward(): number | null {
    return this.rewarded === 0 ? null : this.sum / this.rewarded
  }

  /** Reasons, the most frequent first. */
  get left(): Reasons {
    return [...this.reasons.values()].sort((a, b) => b.count - a.count)
  }

  private leave({ reason, message }: LeftOut, id: string): void {
    this.leftOut++
    const known = this.reasons.get(message)
    if (known) {
      known.count++
      if (known.ids.length < IDS) known.ids.push(id)
    } else if (this.reasons.size < REASONS)
      this.reasons.set(message, { reason, message, count: 1, ids: [id] })
  }
}

/** @param most the requested number of rows @param show the number of examples to return */
export async function preview(
  outcomes: AsyncIterable<Outcome>,
  kind: JobKind,
  { most, show }: { most: number; show: number },
): Promise<TrainingDataPreview> {
  const tally = new Tally()
  const examples: TrainingDataPreview['examples'] = []
  for await (const outcome of outcomes) {
    tally.count(outcome)
    if ('line' in outcome && examples.length < show) examples.push(JSON.parse(outcome.line))
  }
  const read = tally.used + tally.leftOut
  return {
    kind,
    examples,
    rows_read: read,
    examples_found: tally.examples,
    rows_used: tally.used,
    rows_left_out: tally.leftOut,
    has_more: read >= most,
    mean_reward: tally.meanReward,
    left_out: tally.left,
  }
}

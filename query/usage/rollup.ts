/**
 * Adds what calls used to all calls above them. Knows nothing of how calls are read. Pure.
 *
 * A call's descendants are the other calls of the set from which its id is reached by going from parent to parent.
 * So a parent outside the set ends the way up, and calls whose parents go round in a circle are each other's
 * descendants. Each call counts once, and one whose usage repeats that of the calls below it counts for nothing more.
 */
import { errors } from '../../platform/errors/catalog.js'
import { hasTokens, Reported, sumOf, type Tokens, tokensOf } from './repeats.js'
import { addUsage, type Usage, type UsageByModel } from './tally.js'

export interface UsageCall {
  /** '': a root */
  parent: string
  /** its own; the roll-up adds to it */
  usage: UsageByModel
}

/** Most pairs of call and model that are held at once. A deep trace with a model a call has half the square of them. */
const MOST_PAIRS = 250_000

/** @throws 400 where `pairs` are too many */
export function boundPairs(pairs: number, most = MOST_PAIRS): void {
  if (pairs <= most) return
  throw errors.badRequest(`The usage has more than ${most} pairs of call and model; ask for fewer calls.`)
}

/**
 * Own usage and that of all descendants, by call. The usages of `calls` are used up.
 * @param calls by id
 * @param wanted the calls to answer for; absent: all
 * @param most pairs of call and model
 * @throws 400 for more pairs
 */
export function rollUp(
  calls: ReadonlyMap<string, UsageCall>,
  wanted?: ReadonlySet<string>,
  most = MOST_PAIRS,
): Map<string, UsageByModel> {
  return new Rollup(calls, wanted, most).run()
}

class Rollup {
  /** of calls whose children all gave theirs, with their own; of others, their own alone */
  private readonly totals = new Map<string, UsageByModel>()
  /** of calls whose children did not all give theirs yet: what those gave that did */
  private readonly below = new Map<string, UsageByModel>()
  private readonly reported = new Map<string, Reported>()
  /** children that a call still waits for; in the end, only of calls in circles */
  private readonly waiting = new Map<string, number>()
  private pairs = 0

  constructor(
    private readonly calls: ReadonlyMap<string, UsageCall>,
    private readonly wanted: ReadonlySet<string> | undefined,
    private readonly most: number,
  ) {
    for (const [id, { usage }] of calls) {
      this.totals.set(id, usage)
      this.count(usage.size)
      const parent = this.parentOf(id)
      if (parent !== undefined) this.waiting.set(parent, (this.waiting.get(parent) ?? 0) + 1)
    }
  }

  /** From the calls without children upwards: a call gives its total when all its children gave theirs. */
  run(): Map<string, UsageByModel> {
    const ready = [...this.calls.keys()].filter((id) => !this.waiting.has(id))
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      const own = tokensOf(this.totals.get(id)!)
      const total = this.close(id, own)
      const parent = this.parentOf(id)
      if (parent === undefined) continue
      if (hasTokens(total)) this.reportedTo(parent).add(own, total)
      this.give(id, parent)
      const left = this.waiting.get(parent)! - 1
      if (left > 0) this.waiting.set(parent, left)
      else if (this.waiting.delete(parent)) ready.push(parent)
    }
    for (const id of this.waiting.keys()) this.closeCircle(id)
    for (const id of this.totals.keys()) if (!this.wants(id)) this.totals.delete(id)
    return this.totals
  }

  private parentOf(id: string): string | undefined {
    const { parent } = this.calls.get(id)!
    return parent !== '' && this.calls.has(parent) ? parent : undefined
  }

  private wants(id: string): boolean {
    return this.wanted === undefined || this.wanted.has(id)
  }

  private reportedTo(id: string): Reported {
    const reported = this.reported.get(id) ?? new Reported()
    this.reported.set(id, reported)
    return reported
  }

  /** Makes the total of a call of its own usage and what its children gave, and says how many tokens these are. */
  private close(id: string, own: Tokens): Tokens {
    const below = this.below.get(id)
    if (!below) return own
    const usage = this.totals.get(id)!
    const reported = this.reported.get(id)
    const repeats = reported?.has(own) ?? false
    this.pairs -= usage.size
    if (!repeats) this.add(below, usage)
    this.totals.set(id, below)
    this.below.delete(id)
    this.reported.delete(id)
    if (!reported) return own
    return repeats ? reported.below : sumOf(reported.below, own)
  }

  private give(id: string, parent: string): void {
    let from = this.totals.get(id)!
    let to = this.below.get(parent) ?? new Map()
    if (!this.wants(id)) {
      // Nobody asks for the child's total, so that the smaller one can go into the larger one.
      if (from.size > to.size) [from, to] = [to, from]
      this.totals.delete(id)
      this.pairs -= from.size
    }
    this.below.set(parent, to)
    this.add(to, from)
  }

  /** All calls of a circle have one total. */
  private closeCircle(start: string): void {
    const circle: string[] = []
    let id = start
    do {
      circle.push(id)
      this.waiting.delete(id)
      id = this.parentOf(id)!
    } while (id !== start)
    for (const member of circle) this.close(member, tokensOf(this.totals.get(member)!))
    if (circle.length === 1) return
    const sum: UsageByModel = new Map()
    for (const member of circle) this.add(sum, this.totals.get(member)!)
    for (const member of circle) {
      if (!this.wants(member)) continue
      const total: UsageByModel = new Map()
      this.pairs -= this.totals.get(member)!.size
      this.add(total, sum)
      this.totals.set(member, total)
    }
    this.pairs -= sum.size
  }

  private add(to: UsageByModel, from: ReadonlyMap<string, Usage>): void {
    for (const [model, usage] of from) {
      const sum = to.get(model)
      if (sum) addUsage(sum, usage)
      else {
        to.set(model, { ...usage })
        this.count(1)
      }
    }
  }

  private count(more: number): void {
    this.pairs += more
    boundPairs(this.pairs, this.most)
  }
}

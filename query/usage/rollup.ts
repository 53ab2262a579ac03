/**
 * Adds the usage of calls to all calls above them. Doesn't know how calls are read. Pure.
 *
 * A call's descendants are the other calls of the set whose chain of parents reaches it. So a parent outside the set
 * ends the chain, and calls whose parents form a circle are each other's descendants. Each call counts once; one whose
 * usage repeats that of the calls below it adds nothing.
 */
import { errors } from '../../platform/errors/catalog.js'
import { hasTokens, Reported, sumOf, type Tokens, tokensOf } from './repeats.js'
import { addUsage, lacksModel, type Usage, type UsageByModel } from './tally.js'

export interface UsageCall {
  /** '': a root */
  parent: string
  /** its own; the roll-up adds to it */
  usage: UsageByModel
}

/** The most pairs of call and model held at once. A deep trace with one model per call has half the square of its calls. */
const MOST_PAIRS = 250_000

/** @throws 400 for too many `pairs` */
export function boundPairs(pairs: number, most = MOST_PAIRS): void {
  if (pairs <= most) return
  throw errors.badRequest(`The usage has more than ${most} pairs of call and model; ask for fewer calls.`)
}

/**
 * The usage of each call and all its descendants. It modifies the usages of `calls`.
 * @param calls by id
 * @param wanted the calls to return; absent: all
 * @param most the most pairs of call and model
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
  /** total usage of calls whose children are all added; of other calls, only their own */
  private readonly totals = new Map<string, UsageByModel>()
  /** for calls with pending children: the sum of the children added so far */
  private readonly below = new Map<string, UsageByModel>()
  private readonly reported = new Map<string, Reported>()
  /** counts of pending children; in the end, only for calls in circles */
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

  /** Works upwards from the leaves: a call's total is added to its parent when all its children are added. */
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

  /** Adds up a call's own usage and its children's. @returns the tokens */
  private close(id: string, own: Tokens): Tokens {
    const below = this.below.get(id)
    if (!below) return own
    const usage = this.totals.get(id)!
    const reported = this.reported.get(id)
    const repeats = reported?.has(own) ?? false
    this.below.delete(id)
    this.reported.delete(id)
    // Some name the model only where they repeat the usage: without it there is no price.
    if (repeats && reported!.isAll(own) && lacksModel(below) && !lacksModel(usage)) {
      this.pairs -= below.size
      return own
    }
    this.pairs -= usage.size
    if (!repeats) this.add(below, usage)
    this.totals.set(id, below)
    if (!reported) return own
    return repeats ? reported.below : sumOf(reported.below, own)
  }

  private give(id: string, parent: string): void {
    let from = this.totals.get(id)!
    let to = this.below.get(parent) ?? new Map()
    if (!this.wants(id)) {
      // The child's total is not requested, so the smaller total can be merged into the larger one.
      if (from.size > to.size) [from, to] = [to, from]
      this.totals.delete(id)
      this.pairs -= from.size
    }
    this.below.set(parent, to)
    this.add(to, from)
  }

  /** Gives all calls of a circle the same total. */
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

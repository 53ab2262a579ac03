/**
 * How often links may be followed: a limit of requests at a time and over time, for each link, for each address that they
 * come from, and for all. They hold by process and know nothing of what is shown.
 */
import { errors } from '../../platform/errors/catalog.js'
import { Counts } from '../../platform/fairness/counts.js'
import { type Rate, Rates } from '../../platform/fairness/rates.js'
import { subscriberOf } from '../../platform/networks/networks.js'

/** A trace that is looked at asks for a call at each click, and for its files. */
export const BY_LINK: Rate = { burst: 200, perSecond: 40 }
/** Many may come through one proxy. */
const BY_ADDRESS: Rate = { burst: 200, perSecond: 40 }
const AT_ONCE_BY_LINK = 8
const AT_ONCE_BY_ADDRESS = 8
const AT_ONCE = 32
const KNOWN_LIMIT = 20_000

export class Visits {
  private readonly running = new Counts()
  private readonly rates = new Rates(KNOWN_LIMIT)

  /**
   * Counts a request until the returned function is called.
   * @param link its hash @param address where it comes from
   * @throws `TOO_MANY_VISITS` (429)
   */
  enter(link: string, address: string, now = performance.now()): () => void {
    const names = [`link ${link}`, `address ${subscriberOf(address)}`, 'all'] as const
    const mosts = [AT_ONCE_BY_LINK, AT_ONCE_BY_ADDRESS, AT_ONCE]
    if (names.some((name, i) => this.running.of(name) >= mosts[i]!)) throw errors.tooManyVisits()
    // An address that guesses takes nothing from a link.
    if (!this.rates.take(names[1], BY_ADDRESS, now)) throw errors.tooManyVisits()
    if (!this.rates.take(names[0], BY_LINK, now)) throw errors.tooManyVisits()
    this.running.add(names, 1)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.running.add(names, -1)
    }
  }
}

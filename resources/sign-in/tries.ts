/** How often one caller may try to sign in: each try costs the store or a provider something. */
import { LINK_MS } from '../../domain/sign-in/links.js'
import { errors } from '../../platform/errors/catalog.js'
import { Rates } from '../../platform/fairness/rates.js'
import { subscriberOf } from '../../platform/networks/networks.js'

const CALLERS = 10_000

export class Tries {
  private readonly rates = new Rates(CALLERS)

  /** @param most at once, and in a quarter of an hour after that */
  constructor(private readonly most: number) {}

  /** Counts one of the caller with this address. @throws `SIGN_IN_TOO_OFTEN` (429) */
  admit(address: string): void {
    const rate = { burst: this.most, perSecond: this.most / (LINK_MS / 1000) }
    if (!this.rates.take(subscriberOf(address), rate)) throw errors.signInTooOften()
  }
}

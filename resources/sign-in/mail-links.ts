/**
 * Sends links to sign in by. A caller learns nothing of whether an address is known: the answer is there before anything is
 * looked up.
 */
import { randomBytes } from 'node:crypto'
import { LINK_MS, newLink } from '../../domain/sign-in/links.js'
import type { Provisioning } from '../../domain/sign-in/provisioning.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { LocalLeases } from '../../platform/leases/local.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Mailer } from '../notifications/mailer.js'
import { Tries } from './tries.js'

const ADDRESS = /^[^\s@<>",;:\\]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/
/** Mails that are being made at once. */
const MOST_WAITING = 100
const PER_CALLER = 20

export interface MailLinksOptions {
  store: Store
  provisioning: Provisioning
  mailer: Mailer
  /** of this service, once it is known */
  url: () => string | undefined
  log: Log
}

export class MailLinks {
  private readonly tries = new Tries(PER_CALLER)
  private readonly waiting = new Set<Promise<void>>()
  private readonly turns = new LocalLeases()

  constructor(private readonly options: MailLinksOptions) {}

  /**
   * Sends a link to `email`, later, if whoever reads that may come in.
   * @param caller the address that the request comes from @param next where the browser goes afterwards
   * @throws `SIGN_IN_TOO_OFTEN` (429), `OVERLOADED` (503)
   */
  ask(email: string, next: string, caller: string): void {
    this.tries.admit(caller)
    if (this.waiting.size >= MOST_WAITING) throw errors.overloaded()
    const address = email.trim().toLowerCase()
    if (!ADDRESS.test(address)) return
    // One after another to an address, so that what was sent is counted.
    const sent = this.turns
      .hold(address, () => this.send(address, next))
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'a link to sign in could not be sent'))
      .finally(() => this.waiting.delete(sent))
    this.waiting.add(sent)
  }

  /** Resolves when no mail is under way any more. */
  async stop(): Promise<void> {
    await Promise.all(this.waiting)
  }

  private async send(email: string, next: string): Promise<void> {
    const { store, provisioning, mailer, url, log } = this.options
    if (!(await provisioning.mayHaveLink(email))) return
    const base = url()
    const link = base === undefined ? undefined : await newLink(store, email, next)
    if (link === undefined) return log.info('a link to sign in was not sent: the address has enough of them')
    const minutes = LINK_MS / 60_000
    await mailer.send([email], {
      id: randomBytes(16).toString('hex'),
      text: `Sign in to Heddle\n\nOpen this address within ${minutes} minutes, and press the button there. It works once, for whoever has it. If you did not ask for it, there is nothing to do.`,
      // Behind the hash it reaches no log, and a program that looks at mails does not use it up.
      url: `${base}/signin#link=${link}`,
    })
  }
}

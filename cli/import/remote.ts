/**
 * A server that an import reads from or writes to. Busy or away for a while (429, 5xx, a cut connection), it is asked
 * again, after the time that it names or longer and longer; anything else ends the import with a sentence.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { byteLines } from '../../platform/json/lines.js'
import { type BackoffLimits, waitAfter } from '../../platform/retry/backoff.js'
import { CommandError } from '../command.js'
import { AnswerError, type Named, send, textOf } from '../http-client.js'
import { say } from '../subcommand.js'

const WAITS: BackoffLimits = { firstMs: 500, longestMs: 30_000 }
/** About ten minutes. */
const MOST_TRIES = 24
const LONGEST_ASKED_S = 300
/** The most bytes of a page of a list, and of a line. */
const MOST_PAGE = 256 << 20
/** Shorter waits are not worth a word. */
const TOLD_MS = 4000

/** Errors after the last try: work that holds such work does not begin again. */
const GIVEN_UP = new WeakSet<Error>()

/** Whether the records themselves are wrong, rather than the key or the server. */
export function isRefusal(error: unknown): error is AnswerError {
  return error instanceof AnswerError && [400, 409, 413, 422].includes(error.answered)
}

/** The error for a list that never ends. */
export const sameAgain = (name: string) =>
  new CommandError(`${name} says that the page after this one is this one; the import ends here`)

type Query = Record<string, string | number | readonly string[] | undefined>

export interface Outgoing {
  query?: Query
  /** sent as JSON */
  json?: unknown
  /** sent as it is: JSON text, or a form */
  body?: string | FormData
}

export class Remote {
  /** whether it ever answered: an address that never did is more likely wrong than busy */
  private answered = false

  constructor(
    readonly url: string,
    private readonly authorization: string,
    private readonly named: Named,
  ) {}

  /** A successful answer. @throws AnswerError */
  async ask(path: string, { query = {}, json, body }: Outgoing = {}): Promise<Response> {
    const content = json === undefined ? body : JSON.stringify(json)
    const init: RequestInit = {
      method: content === undefined ? 'GET' : 'POST',
      headers: {
        authorization: this.authorization,
        accept: 'application/jsonl, application/json',
        ...(typeof content === 'string' && { 'content-type': 'application/json' }),
      },
      ...(content !== undefined && { body: content }),
      // A source could send us to a neighbour of this machine.
      redirect: 'manual',
    }
    return this.patiently(() => send(this.url + path + queryText(query), init, this.named))
  }

  /** The JSON of a successful answer. @throws AnswerError */
  async json<T>(path: string, outgoing?: Outgoing): Promise<T> {
    // The body may be cut, too.
    const text = await this.patiently(async () => textOf(await this.ask(path, outgoing), MOST_PAGE))
    return JSON.parse(text) as T
  }

  /** The lines that answer JSON, each with its end. They may break off with a TypeError. */
  async *lines(path: string, json: unknown): AsyncGenerator<Buffer> {
    const body: AsyncIterable<Uint8Array> | null = (await this.ask(path, { json })).body
    const tooLong = () => new CommandError(`${this.named.name} answers a line of more than 256 MiB`)
    if (body !== null) yield* byteLines(body, MOST_PAGE, tooLong)
  }

  /** Does `work`, again while the server is busy or away. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const result = await work()
        this.answered = true
        return result
      } catch (error) {
        await this.waitAfter(tries, error)
      }
    }
  }

  /** Waits before the next try. @param tries so far @throws `error`, if another would not help */
  async waitAfter(tries: number, error: unknown): Promise<void> {
    if (!this.isPassing(error) || GIVEN_UP.has(error as Error)) throw error
    if (tries === MOST_TRIES) {
      GIVEN_UP.add(error as Error)
      throw error
    }
    await this.wait(tries, error as Error)
  }

  private isPassing(error: unknown): boolean {
    // A body that breaks off is a TypeError of `fetch`.
    if (!(error instanceof AnswerError)) return this.answered && error instanceof TypeError
    const { answered: status } = error
    return status === 0 ? this.answered : status === 429 || (status >= 500 && status !== 501)
  }

  private async wait(tries: number, error: Error): Promise<void> {
    const asked = error instanceof AnswerError ? error.retryAfter : undefined
    const ms =
      asked === undefined ? waitAfter(tries, WAITS) : Math.min(Math.max(asked, 0), LONGEST_ASKED_S) * 1000
    if (ms >= TOLD_MS)
      say(
        `\n${this.named.name} is busy or away (${error.message}); trying again in ${Math.round(ms / 1000)} s`,
      )
    await sleep(ms)
  }
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) parameters.append(name, String(one))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

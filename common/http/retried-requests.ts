/**
 * Requests that carry a retry id, and their answers, for a while: a retried one is answered from here, or joins the
 * first one that is still under way. In memory only: across a restart the identity of the rows does the same work.
 */
import { errors } from '../../common/errors/catalog.js'

/** A longer id is not remembered: nobody's retry id is that long. */
const ID_LIMIT = 200

/** What an entry weighs beside its answer. */
const ENTRY = 512

interface Entry<Answer> {
  /** what was sent */
  readonly contents: string
  readonly answer: Promise<Answer>
  weight: number
}

export class RetriedRequests<Answer> {
  private readonly entries = new Map<string, Entry<Answer>>()
  private weight = 0

  /**
   * @param limit bytes remembered, the oldest forgotten first
   * @param sizeOf bytes of an answer
   */
  constructor(
    private readonly limit: number,
    private readonly sizeOf: (answer: Answer) => number,
  ) {}

  /**
   * The answer of the request with this `id`: the one it had, if it is known, else that of `run`. A failure is
   * forgotten, so that the next try runs.
   * @param caller with the route: ids of others are others
   * @param contentsOf tells what is sent, a hash; asked only where there is an id
   * @throws `RETRY_ID_USED` (409) where something else came with this id
   */
  async once(
    id: string | undefined,
    caller: string,
    contentsOf: () => string,
    run: () => Promise<Answer>,
  ): Promise<Answer> {
    if (id === undefined || id === '' || id.length > ID_LIMIT) return run()
    const key = `${caller} ${id}`
    const contents = contentsOf()
    const before = this.entries.get(key)
    if (before && before.contents !== contents) throw errors.retryIdUsed()
    if (before) return before.answer
    const entry: Entry<Answer> = { contents, answer: run(), weight: 0 }
    this.entries.set(key, entry)
    this.weigh(key, entry, ENTRY)
    entry.answer.then(
      (answer) => this.weigh(key, entry, this.sizeOf(answer)),
      () => this.forget(key, entry),
    )
    return entry.answer
  }

  private weigh(key: string, entry: Entry<Answer>, more: number): void {
    if (this.entries.get(key) !== entry) return
    entry.weight += more
    this.weight += more
    for (const [oldest, old] of this.entries) {
      if (this.weight <= this.limit) return
      this.forget(oldest, old)
    }
  }

  private forget(key: string, entry: Entry<Answer>): void {
    if (this.entries.get(key) !== entry) return
    this.entries.delete(key)
    this.weight -= entry.weight
  }
}

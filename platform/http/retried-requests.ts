/**
 * Requests that carry a retry id, and their answers, for a while: a retried one is answered from here, or joins the
 * first one that is still under way. In memory only: across a restart the identity of the rows does the same work.
 */
/** A longer id is not remembered: nobody's retry id is that long. */
const ID_LIMIT = 200

/** What an entry weighs beside its answer. */
const ENTRY = 512

interface Entry<Answer> {
  readonly answer: Promise<Answer>
  weight: number
}

export class RetriedRequests<Answer> {
  private readonly entries = new Map<string, Entry<Answer>>()
  private weight = 0

  /**
   * @param limit bytes remembered, the oldest forgotten first
   * @param sizeOf bytes of an answer
   * @param isKept false: only requests that wait already get the answer, and the next try runs
   */
  constructor(
    private readonly limit: number,
    private readonly sizeOf: (answer: Answer) => number,
    private readonly isKept: (answer: Answer) => boolean = () => true,
  ) {}

  /**
   * The answer of the request with this `id`: the one it had, if it is known, else the result of `run`. A failure is
   * forgotten, so that the next try runs.
   * @param markOf who sends what, and where to; asked only where there is an id. Something else under the same id is
   *   another request: a client that mixes up ids must not lose what it sends.
   */
  async once(id: string | undefined, markOf: () => string, run: () => Promise<Answer>): Promise<Answer> {
    if (id === undefined || id === '' || id.length > ID_LIMIT) return run()
    const key = `${markOf()} ${id}`
    const before = this.entries.get(key)
    if (before) return before.answer
    const entry: Entry<Answer> = { answer: run(), weight: 0 }
    this.entries.set(key, entry)
    this.weigh(key, entry, ENTRY)
    entry.answer.then(
      (answer) => {
        if (this.isKept(answer)) this.weigh(key, entry, this.sizeOf(answer))
        else this.forget(key, entry)
      },
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

/**
 * Remembers requests with a retry id, and their answers, for a while: a retry gets the remembered answer, or joins the
 * first request if that is still running. In memory only: after a restart, the identity of rows prevents duplicates.
 */
/** Longer ids are not remembered: no client sends any. */
const ID_LIMIT = 200

/** Bytes that an entry takes besides its answer. */
const ENTRY = 512

interface Entry<Answer> {
  readonly answer: Promise<Answer>
  weight: number
}

export class RetriedRequests<Answer> {
  private readonly entries = new Map<string, Entry<Answer>>()
  private weight = 0

  /**
   * @param limit bytes of remembered answers; the oldest are dropped first
   * @param sizeOf bytes of an answer
   * @param isKept false: only requests already waiting get the answer, and the next try runs
   */
  constructor(
    private readonly limit: number,
    private readonly sizeOf: (answer: Answer) => number,
    private readonly isKept: (answer: Answer) => boolean = () => true,
  ) {}

  /**
   * The remembered answer for `id`, if any, else the result of `run`. Failures are forgotten, so that the next try
   * runs.
   * @param markOf identifies sender, target and content; called only if there is an id. The same id with another mark
   *   is another request: a client that mixes up ids must not lose data.
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

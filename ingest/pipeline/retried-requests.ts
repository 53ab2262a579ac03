/**
 * Requests that carry a retry id, and their answers, for a while: a retried one is answered from here, or joins the
 * first one that is still under way. In memory only: across a restart the identity of the rows does the same work.
 */

/** A longer id is not remembered: nobody's retry id is that long. */
const ID_LIMIT = 200

export class RetriedRequests<Answer> {
  private readonly answers = new Map<string, Promise<Answer>>()

  /** @param limit requests remembered, the oldest forgotten first */
  constructor(private readonly limit = 20_000) {}

  /**
   * The answer of the request with this `id`: the one it had, if it is known with the same `mark` (caller, route,
   * length), else that of `run`. A failure is forgotten, so that the next try runs.
   */
  once(id: string | undefined, mark: string, run: () => Promise<Answer>): Promise<Answer> {
    if (id === undefined || id === '' || id.length > ID_LIMIT) return run()
    const key = `${mark} ${id}`
    const before = this.answers.get(key)
    if (before) return before
    const answer = run()
    this.answers.set(key, answer)
    if (this.answers.size > this.limit) this.answers.delete(this.answers.keys().next().value!)
    answer.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key)
    })
    return answer
  }
}

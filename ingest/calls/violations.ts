/** Collects what is wrong with one request, each with its place, up to a limit. */
import type { Violation } from '../../platform/errors/error.js'

/** Past this many violations the rest of a request is not looked at. */
const LIMIT = 20

export class Violations {
  readonly list: Violation[] = []
  private place: readonly string[] = ['body']

  /** True when there is no use in looking further. */
  get full(): boolean {
    return this.list.length >= LIMIT
  }

  /** Places of {@link add} start here from now on. */
  at(...place: readonly string[]): void {
    this.place = place
  }

  /** Notes a violation at `path` below the current place. */
  add(path: readonly string[], type: string, msg: string): void {
    if (!this.full) this.list.push({ loc: [...this.place, ...path], msg, type })
  }

  missing(...path: readonly string[]): void {
    this.add(path, 'missing', 'Field required')
  }

  notObject(...path: readonly string[]): void {
    this.add(path, 'dict_type', 'Should be an object')
  }
}

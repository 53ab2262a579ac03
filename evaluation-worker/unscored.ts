/** Collects the rows of a run without a score because a model was unreachable, for the run's error. Pure. */
import { isObject } from '../platform/json/object.js'

/** The most rows that the error names. */
const NAMED = 10

export class Unscored {
  private rows = 0
  private unscored = 0
  private readonly named: string[] = []
  private reason = ''

  /** @param trial the trial's call: its inputs as JSON text, and its exception, empty if it was scored */
  add({ inputs, exception }: { inputs: string; exception: string }): void {
    this.rows++
    if (exception === '') return
    this.unscored++
    this.reason ||= exception
    if (this.named.length < NAMED) this.named.push(nameOf(inputs))
  }

  /** The error's text; empty if every row was scored. */
  get message(): string {
    if (this.unscored === 0) return ''
    const more = this.unscored - this.named.length
    const named = `${this.named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return `${this.unscored} of ${this.rows} rows have no score, as a model could not be reached: ${named}. ${this.reason} Run the evaluation again when the model is available.`
  }
}

/** The digest of a dataset's row, or the start of the row itself. */
function nameOf(inputs: string): string {
  const value: unknown = JSON.parse(inputs)
  const example = isObject(value) ? value.example : undefined
  if (typeof example === 'string') return /[^/]*$/.exec(example)?.[0] ?? example
  return JSON.stringify(example ?? null).slice(0, 60)
}

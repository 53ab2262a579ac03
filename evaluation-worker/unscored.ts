/** The rows of a run that nobody could be asked about, as the run's error names them. Pure. */
import { isObject } from '../platform/json/object.js'

/** So many rows are named. */
const NAMED = 10

export class Unscored {
  private rows = 0
  private unscored = 0
  private readonly named: string[] = []
  private reason = ''

  /** @param trial its call: JSON text of its inputs, and its exception; empty: it was scored */
  add({ inputs, exception }: { inputs: string; exception: string }): void {
    this.rows++
    if (exception === '') return
    this.unscored++
    this.reason ||= exception
    if (this.named.length < NAMED) this.named.push(nameOf(inputs))
  }

  /** One text for whoever asked for the run; empty: each row was scored. */
  get said(): string {
    if (this.unscored === 0) return ''
    const more = this.unscored - this.named.length
    const named = `${this.named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return `${this.unscored} of ${this.rows} rows have no score, as a model could not be asked: ${named}. ${this.reason} Ask for the evaluation again when the model is there.`
  }
}

/** The digest of a dataset's row, or the row itself, shortened. */
function nameOf(inputs: string): string {
  const value: unknown = JSON.parse(inputs)
  const example = isObject(value) ? value.example : undefined
  if (typeof example === 'string') return /[^/]*$/.exec(example)?.[0] ?? example
  return JSON.stringify(example ?? null).slice(0, 60)
}

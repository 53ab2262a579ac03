/**
 * Summarizes a run's outputs as the SDKs do: means of numbers, counts and fractions of booleans, nested as the objects
 * are, by scorer. It takes rows one by one and keeps none. Pure.
 */

interface Output {
  output: unknown
  scores: Readonly<Record<string, unknown>>
  model_latency: unknown
}

type Json = Record<string, unknown>

/** One column. Its first value that is not null decides its type. */
class Column {
  private kind: 'boolean' | 'number' | 'object' | 'other' | undefined
  private count = 0
  private truthy = 0
  private numbers = 0
  private sum = 0
  private readonly members = new Map<string, Column>()

  add(value: unknown): void {
    if (value === null || value === undefined) return
    this.count++
    this.kind ??= kindOf(value)
    if (isTruthy(value)) this.truthy++
    if (typeof value === 'number' || typeof value === 'boolean') {
      this.numbers++
      this.sum += Number(value)
    }
    if (kindOf(value) !== 'object') return
    for (const [key, member] of Object.entries(value)) {
      let column = this.members.get(key)
      if (!column) {
        column = new Column()
        this.members.set(key, column)
      }
      column.add(member)
    }
  }

  /** @param unscored rows without a score, which count against a fraction */
  result(unscored: number): Json | null {
    if (this.kind === 'boolean')
      return { true_count: this.truthy, true_fraction: this.truthy / (this.count + unscored) }
    if (this.kind === 'number') return { mean: this.sum / this.numbers }
    if (this.kind !== 'object') return null
    const result = new Map<string, Json[string]>()
    for (const [key, column] of this.members) {
      const summary = column.result(unscored)
      if (summary === null) continue
      // A member with the name of its own statistic, such as `mean`, is replaced by it.
      if (Object.hasOwn(summary, key))
        for (const [name, value] of Object.entries(summary)) result.set(name, value)
      else result.set(key, summary)
    }
    return result.size === 0 ? null : Object.fromEntries(result)
  }
}

/** A column of scores. An empty object means that the row has no score. */
class Scored {
  private readonly column = new Column()
  private rows = 0
  private unscored = 0

  add(value: unknown): void {
    this.rows++
    if (isEmpty(value)) this.unscored++
    else this.column.add(value)
  }

  result(): Json | null {
    return this.rows === 0 ? {} : this.column.result(this.unscored)
  }
}

export class Summary {
  private readonly output = new Scored()
  private readonly latency = new Scored()
  private readonly scores: [string, Scored][]

  /** @param scorers names, in the order of the evaluation */
  constructor(scorers: readonly string[]) {
    this.scores = scorers.map((name) => [name, new Scored()])
  }

  add(row: Output): void {
    this.output.add(row.output)
    this.latency.add(row.model_latency)
    for (const [name, column] of this.scores)
      column.add(Object.hasOwn(row.scores, name) ? row.scores[name] : {})
  }

  result(): Json {
    const named = (name: string, value: Json | null): [string, Json][] =>
      value === null || Object.keys(value).length === 0 ? [] : [[name, value]]
    return Object.fromEntries([
      ...named('output', this.output.result()),
      ...this.scores.map(([name, column]) => [name, column.result()] as const),
      ...named('model_latency', this.latency.result()),
    ])
  }
}

function kindOf(value: unknown): 'boolean' | 'number' | 'object' | 'other' {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'number'
  return typeof value === 'object' && !Array.isArray(value) ? 'object' : 'other'
}

function isEmpty(value: unknown): boolean {
  return (
    value !== null &&
    value !== undefined &&
    kindOf(value) === 'object' &&
    Object.keys(value as object).length === 0
  )
}

/** Truthiness as in Python. */
function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

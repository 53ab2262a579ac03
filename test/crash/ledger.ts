/**
 * What must be in the store: for each call what its last acknowledged request made of it and, while a request about it
 * is under way, what that one may have made of it. Judges a full read.
 */
import { createHash } from 'node:crypto'
import type { Json, Row } from '../support/api.js'

/** A call as it must read back; null: it must not be there. */
export type Expected = { [field: string]: unknown } | null

/** Calls that one request changes, by `trace_id/id`. */
export type Effect = Map<string, Expected>

interface Entry {
  /** Hash of the expected fields, and which; undefined: nothing acknowledged, so not there. */
  acknowledged: Mark | undefined
  /** Set while a request is under way, or failed without an answer. */
  doubtful: Mark | undefined
}

interface Mark {
  fields: string[] | null
  hash: string
  /** Of a call with an end: the same without it. */
  begun?: Mark
}

const END_FIELDS = ['ended_at', 'exception', 'output', 'summary']

export class Ledger {
  private readonly entries = new Map<string, Entry>()

  /** A request with this effect is about to be sent. */
  sending(effect: Effect): void {
    for (const [key, expected] of effect) {
      const entry = this.entries.get(key) ?? { acknowledged: undefined, doubtful: undefined }
      entry.doubtful = mark(expected)
      this.entries.set(key, entry)
    }
  }

  /** It was acknowledged: from now on nothing else will do. */
  acknowledge(effect: Effect): void {
    for (const key of effect.keys()) {
      const entry = this.entries.get(key)
      if (entry?.doubtful === undefined) throw new Error(`${key} was never sent`)
      entry.acknowledged = entry.doubtful
      entry.doubtful = undefined
    }
  }

  get size(): number {
    return this.entries.size
  }

  /**
   * Everything wrong with a full read of the project; empty when all is well. A call that a request is under way for
   * may for a moment be there before and after it, or without the end that was there before its start: `settled` says
   * that such a moment has passed.
   */
  judge(rows: readonly Row[], settled = true): string[] {
    const wrong: string[] = []
    const seen = new Map<string, Row>()
    for (const row of rows) {
      const key = `${row.trace_id}/${row.id}`
      if (seen.has(key)) {
        if (settled || this.entries.get(key)?.doubtful === undefined) wrong.push(`${key} is there twice`)
        continue
      }
      if (!this.entries.has(key)) wrong.push(`${key} was never sent`)
      seen.set(key, row)
    }
    for (const [key, { acknowledged, doubtful }] of this.entries) {
      const row = seen.get(key)
      const allowed = doubtful === undefined ? [acknowledged] : [acknowledged, doubtful]
      if (!settled && doubtful?.begun && row?.ended_at === null) allowed.push(doubtful.begun)
      if (!allowed.some((one) => fits(one, row))) {
        const what =
          row === undefined
            ? 'is lost'
            : fits(undefined, row)
              ? 'differs'
              : `differs: ${JSON.stringify(row).slice(0, 600)}`
        wrong.push(
          `${key} ${what} (wanted ${describe(acknowledged)}${doubtful ? ` or ${describe(doubtful)}` : ''})`,
        )
      }
    }
    return wrong
  }
}

function mark(expected: Expected): Mark {
  if (expected === null) return { fields: null, hash: '' }
  const of = (fields: string[]): Mark => ({ fields, hash: hashOf(fields, expected as Row) })
  const fields = Object.keys(expected).sort()
  return { ...of(fields), begun: of(fields.filter((field) => !END_FIELDS.includes(field))) }
}

function fits(one: Mark | undefined, row: Row | undefined): boolean {
  if (one === undefined || one.fields === null) return row === undefined
  return row !== undefined && hashOf(one.fields, row) === one.hash
}

function describe(one: Mark | undefined): string {
  return one === undefined
    ? 'nothing'
    : one.fields === null
      ? 'its absence'
      : `its ${one.fields.length} fields`
}

function hashOf(fields: readonly string[], row: Row): string {
  const hash = createHash('sha256')
  for (const field of fields)
    hash.update(`${field}=${canonical(field === 'summary' ? withoutDerived(row[field]) : row[field])}\n`)
  return hash.digest('base64')
}

/** `summary.weave` is made at read time. */
function withoutDerived(summary: Json | undefined): Json {
  if (typeof summary !== 'object' || summary === null || Array.isArray(summary)) return summary ?? null
  const { weave: _weave, ...rest } = summary
  return rest
}

function canonical(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object')
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
      .join(',')}}`
  return JSON.stringify(value)
}

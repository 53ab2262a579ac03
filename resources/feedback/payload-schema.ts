/** The paths that payloads have and the kind of their values: the sample, and what is seen in it. Pure. */

import type { ValueType } from '../../contract/feedback-read.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { JsonNumber, type JsonTree } from '../../platform/json/tree.js'
import { type Window, within } from './window.js'

/**
 * A column `payload`, newest first: of each trigger_ref and type the newest one, since what one trigger makes looks alike.
 * Of feedback without a trigger nobody can tell, so each is looked at.
 */
export function sampleStatement(window: Window, limit: number): Sql {
  return sql`SELECT argMax(payload, (created_at, id)) AS payload ${within(window)}
    GROUP BY trigger_ref, canonical_type, if(trigger_ref = '', id, '')
    ORDER BY max(created_at) DESC LIMIT ${bind.uint(limit)}`
}

const MOST_PATHS = 5000

/** Gathers what payloads hold. */
export class PayloadPaths {
  private readonly kinds = new Map<string, ValueType>()

  /** @param payload a whole payload */
  add(payload: JsonTree): void {
    if (payload instanceof Map) this.fields(payload, '')
  }

  /** Paths in order. Where values are of different kinds they are taken as texts. */
  paths(): { json_path: string; value_type: ValueType }[] {
    return [...this.kinds]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([json_path, value_type]) => ({ json_path, value_type }))
  }

  private fields(object: ReadonlyMap<string, JsonTree>, prefix: string): void {
    for (const [key, value] of object) {
      if (key !== '') this.value(value, prefix + key.replaceAll('.', '\\.'))
    }
  }

  /** What lies inside lists has no path that holds for each of them; of null the kind can't be told. */
  private value(value: JsonTree, path: string): void {
    if (value instanceof Map) this.fields(value, `${path}.`)
    else if (Array.isArray(value)) this.elements(value, path)
    else if (value !== null) this.note(path, kindOf(value))
  }

  private elements(list: readonly JsonTree[], path: string): void {
    const plain = list.filter((one) => one !== null && !Array.isArray(one) && !(one instanceof Map))
    for (const one of plain) this.note(path, kindOf(one))
  }

  private note(path: string, kind: ValueType): void {
    const before = this.kinds.get(path)
    if (before === undefined && this.kinds.size >= MOST_PATHS) return
    this.kinds.set(path, before === undefined || before === kind ? kind : 'categorical')
  }
}

function kindOf(value: JsonTree): ValueType {
  if (typeof value === 'boolean') return 'boolean'
  return value instanceof JsonNumber ? 'numeric' : 'categorical'
}

/** Finds the paths of payloads and the kinds of their values in a sample: the statement, and its rows. Pure. */

import type { ValueType } from '../../contract/feedback-read.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { JsonNumber, type JsonTree } from '../../platform/json/tree.js'
import { type Window, within } from './window.js'

/**
 * A column `payload`, newest first: the newest of each trigger_ref and type, since one trigger's payloads look alike.
 * Feedback without a trigger may differ, so each one is read.
 */
export function sampleStatement(window: Window, limit: number): Sql {
  return sql`SELECT argMax(payload, (created_at, id)) AS payload ${within(window)}
    GROUP BY trigger_ref, canonical_type, if(trigger_ref = '', id, '')
    ORDER BY max(created_at) DESC LIMIT ${bind.uint(limit)}`
}

const MOST_PATHS = 5000

/** Collects the paths of payloads. */
export class PayloadPaths {
  private readonly kinds = new Map<string, ValueType>()

  /** @param payload a whole payload */
  add(payload: JsonTree): void {
    if (payload instanceof Map) this.fields(payload, '')
  }

  /** The paths in order. Values of different kinds count as texts. */
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

  /** Skips lists, whose members have no common path, and null, whose kind is unknown. */
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

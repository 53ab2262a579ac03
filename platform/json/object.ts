/** Recognises JSON objects among parsed values, and reads tables by names that callers chose. */

/** True for an object that is neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member `key` of a table by names; undefined for names such as `constructor`, which every object inherits. */
export function ownOf<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

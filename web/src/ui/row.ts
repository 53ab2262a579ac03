/** A row of a dataset. */
export type Row = Record<string, unknown>

/** Sets a field, also one that is named as what every object inherits. */
export function own(row: Row, name: string, value: unknown): unknown {
  Object.defineProperty(row, name, { value, enumerable: true, writable: true, configurable: true })
  return value
}

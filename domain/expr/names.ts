/** Collects the field names of an expression. Pure. */
import type { Operand } from '../../contract/query-expr.js'

/** All field names of an expression, unordered and with repetitions. */
export function namesIn(expr: Operand): string[] {
  const names: string[] = []
  const waiting: unknown[] = [expr]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === null || typeof at !== 'object' || '$literal' in at) continue
    if ('$getField' in at && typeof at.$getField === 'string') names.push(at.$getField)
    else waiting.push(...Object.values(at).filter((one) => one !== undefined))
  }
  return names
}

/**
 * Fields with two names: the neutral one, canonical here, and the published clients'. Requests may use either; answers
 * contain both. Knows which fields these are, and nothing of routes. Never touches user data.
 */
import { z } from 'zod'

const OURS = 'platform_'
const CLIENTS = 'wb_'

/** The clients' name of a field, usually equal to the canonical one. */
export function clientName(name: string): string {
  return name.startsWith(OURS) ? CLIENTS + name.slice(OURS.length) : name
}

/** The canonical name of a field, given under either name. */
export function canonicalName(name: string): string {
  return name.startsWith(CLIENTS) ? OURS + name.slice(CLIENTS.length) : name
}

/**
 * Lets an object's fields come under either name; the canonical one wins if both are present. `schema` itself contains
 * only canonical names.
 */
export function eitherName<S extends z.ZodType>(schema: S) {
  return z.preprocess(renamed, schema)
}

function renamed(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (!entries.some(([name]) => canonicalName(name) !== name)) return value
  const out = new Map<string, unknown>()
  for (const [name, one] of entries) {
    const neutral = canonicalName(name)
    if (neutral === name || !Object.hasOwn(value, neutral)) out.set(neutral, one)
  }
  return Object.fromEntries(out)
}

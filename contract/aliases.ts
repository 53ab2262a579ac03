/**
 * The two names that some fields have: the neutral one, which is canonical here, and the published clients'. Requests
 * may use either, answers carry both. Knows which fields those are and nothing of routes. User data is never touched.
 */
import { z } from 'zod'

const OURS = 'platform_'
const CLIENTS = 'wb_'

/** The name that clients know a field by; mostly that is its canonical one. */
export function clientName(name: string): string {
  return name.startsWith(OURS) ? CLIENTS + name.slice(OURS.length) : name
}

/** The canonical name of a field, which may already be that. */
export function canonicalName(name: string): string {
  return name.startsWith(CLIENTS) ? OURS + name.slice(CLIENTS.length) : name
}

/**
 * `schema` for objects whose fields may come under either name; the canonical one wins where both are there. The
 * schema itself names the canonical ones alone.
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

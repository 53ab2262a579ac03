/**
 * The two names that some fields have: the neutral one, which is canonical here, and the published clients'. Requests
 * may use either, answers carry both. Knows which fields those are and nothing of routes. User data is never touched.
 */
import { z } from 'zod'

/** Canonical name → the clients' name. */
const FIELD_ALIASES = {
  platform_user_ids: 'wb_user_ids',
  platform_run_ids: 'wb_run_ids',
  platform_user_id: 'wb_user_id',
  platform_run_id: 'wb_run_id',
  platform_run_step_end: 'wb_run_step_end',
  platform_run_step: 'wb_run_step',
  platform_username: 'wb_username',
} as const

const canonical = new Map<string, string>(
  Object.entries(FIELD_ALIASES).map(([neutral, client]) => [client, neutral]),
)

/** The canonical name of a field, which may already be that. */
export function canonicalName(name: string): string {
  return canonical.get(name) ?? name
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
  if (!entries.some(([name]) => canonical.has(name))) return value
  const out = new Map<string, unknown>()
  for (const [name, one] of entries) {
    const neutral = canonical.get(name)
    if (neutral === undefined) out.set(name, one)
    else if (!Object.hasOwn(value, neutral)) out.set(neutral, one)
  }
  return Object.fromEntries(out)
}

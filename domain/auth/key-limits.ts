/** What keys are limited to beside their rights: models and addresses. Pure. */
import { z } from 'zod'
import type { KeyLimits } from '../../platform/http/principal.js'
import { parsedAs } from '../../platform/json/parse.js'
import { isWithin } from '../../platform/networks/networks.js'

const stored = z.object({ models: z.array(z.string()).optional(), addresses: z.array(z.string()).optional() })

/** The stored form of limits; empty: none. */
export function writeLimits({ models, addresses }: KeyLimits = {}): string {
  return models === undefined && addresses === undefined ? '' : JSON.stringify({ models, addresses })
}

/** Reads stored limits; unreadable ones allow nothing. */
export function readLimits(text: string): KeyLimits {
  if (text === '') return {}
  const read = parsedAs(stored, text)
  if (read === undefined) return { models: [], addresses: [] }
  const { models, addresses } = read
  return { ...(models && { models }), ...(addresses && { addresses }) }
}

/** What limits leave open that `own` doesn't; undefined: nothing, so a key with `own` may make one with these. */
export function beyond(limits: KeyLimits, own: KeyLimits = {}): 'models' | 'addresses' | undefined {
  const { models, addresses } = own
  if (models && !limits.models?.every((one) => models.includes(one))) return 'models'
  if (addresses && !limits.addresses?.every((one) => isWithin(one, addresses))) return 'addresses'
  return undefined
}

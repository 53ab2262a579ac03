/** A key may make another one only within its own limits. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { admits } from '../../platform/networks/networks.js'
import { beyond } from './key-limits.js'

const byte = fc.integer({ min: 0, max: 3 }).map((n) => n * 64)
const address = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))
const network = fc.oneof(
  address,
  fc.tuple(address, fc.integer({ min: 0, max: 32 })).map(([at, bits]) => `${at}/${bits}`),
  fc.constantFrom('::1', 'fd00::/8', 'fd00:1::/32', '::/0'),
)
const limits = fc.record(
  {
    models: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    addresses: fc.array(network, { maxLength: 3 }),
  },
  { requiredKeys: [] },
)

it('what is within the limits of a key can do nothing that the key can’t', () => {
  const probes = fc.array(fc.oneof(address, fc.constantFrom('::1', 'fd00::5', 'fd00:1::5')), { minLength: 8 })
  fc.assert(
    fc.property(limits, limits, probes, (inner, own, from) => {
      const what = beyond(inner, own)
      if (what !== undefined) return
      const can = (of: typeof own, model: 'a' | 'b' | 'c', at: string) =>
        (of.models?.includes(model) ?? true) && (of.addresses === undefined || admits(of.addresses)(at))
      for (const at of from)
        for (const model of ['a', 'b', 'c'] as const)
          if (can(inner, model, at)) expect(can(own, model, at)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it.each([
  [{}, {}, undefined],
  [{ models: ['a'] }, {}, undefined],
  [{}, { models: ['a'] }, 'models'],
  [{ models: ['a', 'b'] }, { models: ['a'] }, 'models'],
  [{ models: ['a'] }, { models: ['a', 'b'] }, undefined],
  [{}, { addresses: ['10.0.0.0/8'] }, 'addresses'],
  [{ addresses: ['10.1.0.0/16', '10.2.3.4'] }, { addresses: ['10.0.0.0/8'] }, undefined],
  [{ addresses: ['10.0.0.0/7'] }, { addresses: ['10.0.0.0/8'] }, 'addresses'],
  [{ addresses: ['::1'] }, { addresses: ['10.0.0.0/8'] }, 'addresses'],
])('%j by a key with %j leaves open %j', (inner, own, what) => expect(beyond(inner, own)).toBe(what))

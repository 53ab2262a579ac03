import { expect, it } from 'vitest'
import { DataQuotas } from './data-quota.js'

it('holds the data of all requests of an entity to its limit, whatever its jobs have counted in', () => {
  const quotas = new DataQuotas(100)
  const one = quotas.open('acme', 30)
  const two = quotas.open('acme', 30)
  one.take(40)
  two.take(30)
  expect(() => two.take(1)).toThrow('acme has reached its limit')
  quotas.open('other', 0).take(100)
  one.release()
  one.release()
  two.take(40)
})

it('moves what came before its owner was known', () => {
  const quotas = new DataQuotas(100)
  const early = quotas.open('key k', 0)
  early.take(60)
  expect(() => early.move('acme', 50)).toThrow('acme has')
  const late = quotas.open('key k', 0)
  late.take(100)
  late.move('acme', 0)
  quotas.open('key k', 0).take(100)
  expect(() => quotas.open('acme', 0).take(1)).toThrow('acme has')
  late.release()
  quotas.open('acme', 0).take(100)
})

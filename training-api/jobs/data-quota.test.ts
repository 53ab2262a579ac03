import { expect, it } from 'vitest'
import { DataRooms } from './data-quota.js'

it('holds the data of all requests of an entity to its limit, whatever its jobs have counted in', () => {
  const rooms = new DataRooms(100)
  const one = rooms.open('acme', 30)
  const two = rooms.open('acme', 30)
  one.take(40)
  two.take(30)
  expect(() => two.take(1)).toThrow('acme has reached its limit')
  rooms.open('other', 0).take(100)
  one.release()
  one.release()
  two.take(40)
})

it('moves what came before its owner was known', () => {
  const rooms = new DataRooms(100)
  const early = rooms.open('key k', 0)
  early.take(60)
  expect(() => early.move('acme', 50)).toThrow('acme has')
  const late = rooms.open('key k', 0)
  late.take(100)
  late.move('acme', 0)
  rooms.open('key k', 0).take(100)
  expect(() => rooms.open('acme', 0).take(1)).toThrow('acme has')
  late.release()
  rooms.open('acme', 0).take(100)
})

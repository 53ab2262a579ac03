import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { takenPorts } from './ports.js'

const HOST = '127.0.0.1'
const servers = [createServer(), createServer()]
afterAll(() => servers.map((server) => server.close()))

it('all that are taken are named at once, with the variables that move them', async () => {
  const [one = 0, two = 0] = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, HOST), 'listening')
      return (server.address() as AddressInfo).port
    }),
  )
  expect(await takenPorts(HOST, { HEDDLE_PORT: 0, HEDDLE_METRICS_PORT: 0 })).toBeUndefined()
  expect(await takenPorts(HOST, { HEDDLE_PORT: one, HEDDLE_METRICS_PORT: 0 })).toBe(
    `port ${one} on ${HOST} is taken; set HEDDLE_PORT to another port`,
  )
  expect(await takenPorts(HOST, { HEDDLE_PORT: one, HEDDLE_METRICS_PORT: two })).toBe(
    `ports ${one}, ${two} on ${HOST} are in use, perhaps by another Heddle: stop it, or set HEDDLE_PORT, HEDDLE_METRICS_PORT`,
  )
})

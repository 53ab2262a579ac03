/**
 * Free loopback ports for processes that take their port as a number. Below those that the system gives to outgoing
 * connections, which could take one between the look and its use, and apart from those that `heddle up` tries for its
 * children. Knows nothing of what listens there.
 */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const FIRST = 10_000
const END = 20_000

/** Returns `count` distinct ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold))
  await Promise.all(held.map(({ release }) => release()))
  return held.map(({ port }) => port)
}

async function hold(): Promise<{ port: number; release: () => Promise<void> }> {
  for (let tries = 0; tries < 100; tries++) {
    const held = await take(randomInt(FIRST, END))
    if (held) return held
  }
  throw new Error(`no port between ${FIRST} and ${END} is free`)
}

function take(port: number): Promise<{ port: number; release: () => Promise<void> } | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () =>
      resolve({ port, release: () => new Promise((done) => server.close(() => done())) }),
    )
  })
}

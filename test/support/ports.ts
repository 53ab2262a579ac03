/**
 * Free loopback ports for processes that take their port as a number. Below those that the system gives to outgoing
 * connections, which could take one between the look and its use, and apart from those that `heddle up` tries for its
 * children. No two tests of a run are given the same, so that a server that was killed finds its port free when it starts
 * again.
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FIRST = 10_000
const END = 20_000
/** Has a file for each port that was given. After longer than any run takes, a port may be given again. */
const GIVEN = join(tmpdir(), 'heddle-test-ports')
const GIVEN_MS = 3_600_000

/** Returns `count` distinct ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold))
  await Promise.all(held.map(({ release }) => release()))
  return held.map(({ port }) => port)
}

async function hold(): Promise<{ port: number; release: () => Promise<void> }> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(FIRST, END)
    const held = claim(port) ? await take(port) : undefined
    if (held) return held
  }
  throw new Error(`no port between ${FIRST} and ${END} is free`)
}

/** @returns whether no test has been given `port`; now one has */
function claim(port: number): boolean {
  const file = join(GIVEN, `${port}`)
  mkdirSync(GIVEN, { recursive: true })
  const given = statSync(file, { throwIfNoEntry: false })
  if (given && Date.now() - given.mtimeMs > GIVEN_MS) rmSync(file, { force: true })
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
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

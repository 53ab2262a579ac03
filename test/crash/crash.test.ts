/**
 * No acknowledged call or object is lost, changed or doubled when processes are killed (SIGKILL) under load, each in turn
 * and all at once, at random times. HEDDLE_CRASH_SEEDS and HEDDLE_CRASH_ROUNDS ask for more than the default.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { signal } from '../support/processes.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'
import { Ledger } from './ledger.js'
import { Publisher } from './publisher.js'
import { Random } from './random.js'
import { Writers } from './writers.js'

const SEEDS = Number(process.env.HEDDLE_CRASH_SEEDS ?? 1)
const ROUNDS = Number(process.env.HEDDLE_CRASH_ROUNDS ?? 1)
const FIRST = Number(process.env.HEDDLE_CRASH_FIRST_SEED ?? 1)

type Victim = 'engine' | 'parent' | 'all'
const VICTIMS: readonly Victim[] = ['engine', 'parent', 'all']

let server: Server
afterEach(() => server?.dispose())

/** Kills and brings everything back on the same data, on the same ports. */
async function strike(victim: Victim): Promise<void> {
  const below = server.children()
  const { dataDir, ports } = server
  if (victim === 'engine') {
    for (const pid of below) signal(pid, 'SIGKILL')
    await until('another engine', () => server.children().some((pid) => !below.includes(pid)))
    await server.ready()
    return
  }
  server.process.kill('SIGKILL')
  if (victim === 'all') for (const pid of below) signal(pid, 'SIGKILL')
  await until('the parent to be gone', () => server.ended)
  // At once, while the engine may still be on its way out.
  server = await Server.start({ dataDir, ports })
}

/** Judges what is there at this moment: acknowledged calls must be right and once already. */
async function judgeNow(writers: Writers, ledger: Ledger): Promise<void> {
  expectNothing(ledger.judge(await writers.rows(), false), ledger)
}

/** Judges what is there when nothing is under way, or soon after a start: each call once, and counted once. */
async function judgeSettled(writers: Writers, ledger: Ledger): Promise<void> {
  let wrong: string[] = []
  // The last reading says more than the deadline; without any reading, the deadline's error says why.
  await until(
    'every call to be there once',
    async () => {
      const rows = await writers.rows()
      wrong = ledger.judge(rows)
      const count = await writers.count()
      if (count !== rows.length) wrong.push(`${count} counted and ${rows.length} read`)
      return wrong.length === 0
    },
    15,
  ).catch((error: unknown) => {
    expectNothing(wrong, ledger)
    throw error
  })
}

function expectNothing(wrong: string[], ledger: Ledger): void {
  expect(wrong.slice(0, 10), `${wrong.length} wrong of ${ledger.size}`).toEqual([])
}

describe.each(Array.from({ length: SEEDS }, (_, n) => FIRST + n))('seed %i', (seed) => {
  it('everything acknowledged is there, once, as it was', async () => {
    const random = new Random(seed)
    server = await Server.start()
    const ledger = new Ledger()
    const writers = new Writers(server.api, ledger, random, 8)
    const publisher = new Publisher(server.api, writers.projects[0])
    for (let round = 0; round < ROUNDS; round++) {
      for (const victim of VICTIMS) {
        const before = writers.acknowledged
        await until('writes to be acknowledged', () => writers.acknowledged > before + 10)
        await new Promise((resolve) => setTimeout(resolve, random.between(0, 1_500)))
        await strike(victim)
        await writers.pause()
        await judgeNow(writers, ledger)
        expect(await publisher.wrong()).toEqual([])
        // What a killed parent left between two steps is put right at the start, before anybody sends it again.
        if (victim !== 'engine') await judgeSettled(writers, ledger)
        writers.resume()
      }
    }
    await Promise.all([writers.finish(), publisher.finish()])
    expect(await publisher.wrong()).toEqual([])
    await judgeSettled(writers, ledger)
    await writers.repeat(100)
    await judgeSettled(writers, ledger)
    expect(writers.unexpected).toEqual([])
    expect(writers.retried).toBeGreaterThan(0)
  })
})

/**
 * Nothing acknowledged is lost when the power fails: a server on a disk with a volatile cache (`volatile-disk.c`) is cut
 * off under load, and again while it starts, with all or some of what was not flushed gone. And when the disk fails: what a
 * flush has failed for is not acknowledged. HEDDLE_POWER_ROUNDS asks for more rounds, HEDDLE_POWER_SEED repeats some.
 * Where there can be no such disk, what the file system has not written is cut off its files instead.
 */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { canLosePower, losePower } from '../support/power.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'
import { type FileSystem, VolatileDisk } from '../support/volatile-disk.js'
import { Ledger } from './ledger.js'
import { Publisher } from './publisher.js'
import { Random } from './random.js'
import { Writers } from './writers.js'

const ROUNDS = Number(process.env.HEDDLE_POWER_ROUNDS ?? 2)
const SEED = Number(process.env.HEDDLE_POWER_SEED ?? 7)
/** Requests acknowledged in a round at least. */
const ACKNOWLEDGED = 100
/** Of what was not flushed, so many percent stay: nothing, some pieces, all. */
const KEPT = [0, 50, 0, 10, 90, 100]
/** So many operations of the disk fail. */
const FAILURES = [
  ['flush', 3],
  ['write', 40],
  ['flush', 1],
  ['read', 2],
  ['write', 1],
] as const

let server: Server | undefined
let disk: VolatileDisk | undefined
afterEach(async () => {
  // Its data goes with the disk.
  if (disk) await server?.kill()
  else await server?.dispose()
  await disk?.dispose()
  server = disk = undefined
})

/** Writers of calls and objects beside each other, and what they were promised. */
class Load {
  readonly ledger = new Ledger()
  readonly writers: Writers
  readonly publisher: Publisher

  constructor(
    server: Server,
    private readonly project: string,
    random: Random,
  ) {
    this.writers = new Writers(server.api, project, this.ledger, random, 8)
    this.publisher = new Publisher(server.api, project)
  }

  /** Everything that was acknowledged is there, once, from the first look on. */
  async judge(on: Server): Promise<void> {
    const rows = await on.api.calls(this.project)
    const wrong = this.ledger.judge(rows)
    expect(wrong.slice(0, 10), `${wrong.length} wrong of ${this.ledger.size}`).toEqual([])
    expect(await on.api.count(this.project)).toBe(rows.length)
    expect(await this.publisher.wrong()).toEqual([])
  }

  async more(count: number): Promise<void> {
    const before = this.writers.acknowledged
    await until('writes to be acknowledged', () => this.writers.acknowledged > before + count, 120)
  }

  async finish(): Promise<void> {
    await Promise.all([this.writers.finish(), this.publisher.finish()])
    expect(this.writers.unexpected).toEqual([])
  }
}

const systems: FileSystem[] = ROUNDS > 2 ? ['ext4', 'xfs'] : ['ext4']

describe.each(systems)('on %s with a volatile cache below', (system) => {
  const why = VolatileDisk.missing(system)
  const skipped = why === undefined ? '' : ` (skipped: ${why})`

  it.skipIf(why)(`everything acknowledged outlives power losses${skipped}`, async () => {
    const random = new Random(SEED)
    disk = await VolatileDisk.make(system)
    const dataDir = join(disk.files, 'data')
    let load: Load | undefined
    let cuts = 0
    const cut = async (kept: number) => {
      const lost = await disk!.cut(random.between(0, 2 ** 31), kept)
      cuts++
      const acknowledged = load?.writers.acknowledged ?? 0
      console.info(`${system}, seed ${SEED}, cut ${cuts}: ${acknowledged} acknowledged; ${lost}`)
    }
    const cutAtStart = async (kept: number, ports?: readonly [number, number]) => {
      const spawned = (one: Server) => (server = one)
      const starting = Server.start({ dataDir, ...(ports && { ports }), spawned }).catch(() => undefined)
      await sleep(random.between(300, 5_000))
      await cut(kept)
      await server?.kill()
      await starting
      await disk?.revive()
    }
    // On an empty folder that is within migrations.
    await cutAtStart(KEPT[1]!)
    server = await Server.start({ dataDir })
    const { ports } = server
    load = new Load(server, freshProject(), random)
    for (let round = 0; round < ROUNDS; round++) {
      const kept = KEPT[round % KEPT.length]!
      await load.more(ACKNOWLEDGED)
      await sleep(random.between(0, 3_000))
      await cut(kept)
      await server.kill()
      await load.writers.pause()
      await disk.revive()
      // Every second time, the power fails again while it starts.
      if (round % 2 === 1) await cutAtStart(kept, ports)
      server = await Server.start({ dataDir, ports })
      await load.judge(server)
      load.writers.resume()
    }
    await load.finish()
    await load.judge(server)
  })

  it.skipIf(why)(`nothing is acknowledged that a failing disk did not take${skipped}`, async () => {
    const random = new Random(SEED)
    disk = await VolatileDisk.make(system)
    const dataDir = join(disk.files, 'data')
    server = await Server.start({ dataDir })
    const { ports } = server
    const load = new Load(server, freshProject(), random)
    for (const [operation, count] of FAILURES.slice(0, ROUNDS + 1)) {
      await load.more(ACKNOWLEDGED / 3)
      await disk.fail(operation, count)
      await sleep(random.between(500, 3_000))
      // The file system may have given up: as after a broken cable, it is mounted again.
      await disk.cut(random.between(0, 2 ** 31), 0)
      await server.kill()
      await load.writers.pause()
      await disk.revive()
      server = await Server.start({ dataDir, ports })
      await load.judge(server)
      load.writers.resume()
    }
    await load.finish()
    await load.judge(server)
  })
})

const isOnlyWay = VolatileDisk.missing() !== undefined && canLosePower()

it.skipIf(!isOnlyWay)('everything acknowledged outlives the loss of what the file system holds', async () => {
  server = await Server.start()
  const { dataDir, ports } = server
  const load = new Load(server, freshProject(), new Random(SEED))
  await load.more(ACKNOWLEDGED)
  await server.kill()
  await load.writers.pause()
  console.info(`unwritten: ${JSON.stringify(losePower(join(dataDir, 'clickhouse')))}`)
  server = await Server.start({ dataDir, ports })
  await load.judge(server)
  load.writers.resume()
  await load.finish()
  await load.judge(server)
})

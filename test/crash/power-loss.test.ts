/**
 * Nothing acknowledged is lost when the power fails: a server on a disk with a volatile cache (`volatile-disk.c`) is cut
 * off under load, and again while it starts, with all or some of what was not flushed gone. And when the disk fails: what a
 * flush has failed for is not acknowledged. HEDDLE_POWER_ROUNDS asks for more rounds, HEDDLE_POWER_SEED repeats some.
 * Where there can be no such disk, what the file system has not written is cut off its files instead.
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { canLosePower, losePower } from '../support/power.js'
import { root } from '../support/root.js'
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
/** Data folders of older releases, with what was asked of them and answered. */
const OLD_FOLDERS = join(root, 'test/e2e/data-folders')
interface Older {
  key: string
  asked: { path: string; body: unknown; lines?: object[]; text?: string }[]
}
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

  constructor(server: Server, random: Random) {
    this.writers = new Writers(server.api, this.ledger, random, 8)
    this.publisher = new Publisher(server.api, this.writers.projects[0])
  }

  /** Everything that was acknowledged is there, once, from the first look on. */
  async judge(on: Server): Promise<void> {
    const rows = await this.writers.rows()
    const wrong = this.ledger.judge(rows)
    // What is lost, and what readers only missed.
    const again = wrong.length > 0 ? this.ledger.judge(await this.writers.rows()) : []
    const what = `${wrong.length} wrong of ${this.ledger.size}, ${again.length} at the second look; ${on.output.slice(-2000)}`
    expect(wrong.slice(0, 10), what).toEqual([])
    expect(readdirSync(join(on.dataDir, 'clickhouse/write-log/refused'))).toEqual([])
    expect(await this.writers.count()).toBe(rows.length)
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

/** A start on `dataDir`, in which the power fails at a moment. */
async function cutAtStart(
  dataDir: string,
  moment: Promise<unknown>,
  cut: () => Promise<void>,
  ports?: Ports,
): Promise<void> {
  const spawned = (one: Server) => (server = one)
  const starting = Server.start({ dataDir, ...(ports && { ports }), spawned }).catch(() => undefined)
  await Promise.race([moment, starting])
  await cut()
  await server?.kill()
  await starting
  await disk?.revive()
}
type Ports = readonly [number, number]

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
    const soon = () => sleep(random.between(300, 5_000))
    // On an empty folder that is within migrations.
    await cutAtStart(dataDir, soon(), () => cut(KEPT[1]!))
    server = await Server.start({ dataDir })
    const { ports } = server
    load = new Load(server, random)
    for (let round = 0; round < ROUNDS; round++) {
      const kept = KEPT[round % KEPT.length]!
      await load.more(ACKNOWLEDGED)
      await sleep(random.between(0, 3_000))
      await cut(kept)
      await server.kill()
      await load.writers.pause()
      await disk.revive()
      // Every second time, the power fails again while it starts.
      if (round % 2 === 1) await cutAtStart(dataDir, soon(), () => cut(kept), ports)
      server = await Server.start({ dataDir, ports })
      await load.judge(server)
      load.writers.resume()
    }
    await load.finish()
    await load.judge(server)
  })

  it.skipIf(why)(`a folder of an older release outlives them within its migrations${skipped}`, async () => {
    const random = new Random(SEED + 1)
    disk = await VolatileDisk.make(system)
    const [archive] = readdirSync(OLD_FOLDERS)
    execFileSync('tar', ['-xzf', join(OLD_FOLDERS, archive!), '-C', disk.files])
    const { key, asked } = JSON.parse(readFileSync(join(disk.files, 'answers.json'), 'utf8')) as Older
    execFileSync('sync', ['-f', disk.files])
    const dataDir = join(disk.files, 'data')
    const tables = () => {
      const files = readdirSync(join(dataDir, 'clickhouse'), { recursive: true, encoding: 'utf8' })
      return files.filter((name) => name.endsWith('.sql')).length
    }
    for (let round = 0; round < ROUNDS / 2; round++) {
      const kept = KEPT[round % KEPT.length]!
      const before = tables()
      const goal = before + random.between(1, 8)
      const within = until('migrations to make tables', () => tables() >= goal, 120)
      await cutAtStart(dataDir, within, async () => {
        const lost = await disk!.cut(random.between(0, 2 ** 31), kept)
        console.info(`${system}, seed ${SEED}, ${goal - before} tables made: ${lost}`)
      })
    }
    server = await Server.start({ dataDir })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (const { path, body, lines, text } of asked) {
      const answer = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers })
      const said = await answer.text()
      if (text !== undefined) expect(said).toBe(text)
      else
        expect(
          said
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ).toMatchObject(lines!)
    }
  })

  it.skipIf(why)(`nothing is acknowledged that a failing disk did not take${skipped}`, async () => {
    const random = new Random(SEED)
    disk = await VolatileDisk.make(system)
    const dataDir = join(disk.files, 'data')
    server = await Server.start({ dataDir })
    const { ports } = server
    const load = new Load(server, random)
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
  const load = new Load(server, new Random(SEED))
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

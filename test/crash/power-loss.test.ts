/**
 * No acknowledged call is lost at power loss: everything is killed under load, then every byte that the file system has
 * not written yet is cut away, and what was acknowledged must be there. HEDDLE_POWER_ROUNDS asks for more rounds.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { canLosePower, losePower } from '../support/power.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'
import { Ledger } from './ledger.js'
import { Random } from './random.js'
import { Writers } from './writers.js'

const ROUNDS = Number(process.env.HEDDLE_POWER_ROUNDS ?? 1)
/** So many parts must hold rows that lay elsewhere when they were acknowledged. */
const MERGED = 2
const ACKNOWLEDGED = 400
const FRESH_MS = 15_000

let server: Server
afterEach(() => server?.dispose())

const can = canLosePower()
const skipped = can ? '' : ' (skipped: this file system does not tell what it has not written; ext4 does)'

it.skipIf(!can)(`everything acknowledged outlives a power loss${skipped}`, async () => {
  server = await Server.start()
  const { dataDir, ports } = server
  const project = freshProject()
  const ledger = new Ledger()
  const writers = new Writers(server.api, project, ledger, new Random(7), 8)
  for (let round = 0; round < ROUNDS; round++) {
    const store = join(dataDir, 'clickhouse/store')
    const before = writers.acknowledged
    await until(
      'writes whose parts were merged and are gone',
      () => writers.acknowledged > before + ACKNOWLEDGED && mergedAlone(store) >= MERGED,
      300,
      500,
    )
    await server.kill()
    await writers.pause()
    const lost = losePower(join(dataDir, 'clickhouse'))
    console.info(
      `round ${round + 1}: ${writers.acknowledged} acknowledged, unwritten: ${JSON.stringify(lost)}`,
    )
    server = await Server.start({ dataDir, ports })
    await judge(project, ledger)
    writers.resume()
  }
  await writers.finish()
  await judge(project, ledger)
})

/** Parts that were merged a moment ago and whose sources are gone from the disk. */
function mergedAlone(store: string): number {
  const folders = readdirSync(store).flatMap((one) =>
    readdirSync(join(store, one)).map((table) => join(store, one, table)),
  )
  let count = 0
  for (const folder of folders) {
    const parts = readdirSync(folder).flatMap(partOf)
    for (const part of parts)
      if (part.level > 0 && isFresh(join(folder, part.name)) && !parts.some((one) => isSource(one, part)))
        count++
  }
  return count
}

interface Part {
  name: string
  kind: string
  from: number
  to: number
  level: number
}

/** `all_1_9_2`: from the first block to the ninth, merged twice. */
function partOf(name: string): Part[] {
  const [, kind, ...numbers] = /^(.*all)_(\d+)_(\d+)_(\d+)(?:_\d+)?$/.exec(name) ?? []
  const [from, to, level] = numbers.map(Number)
  if (kind === undefined || from === undefined || to === undefined || level === undefined) return []
  return [{ name, kind, from, to, level }]
}

function isSource(one: Part, of: Part): boolean {
  return one.kind === of.kind && one.level < of.level && one.from >= of.from && one.to <= of.to
}

function isFresh(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs < FRESH_MS
  } catch {
    return false
  }
}

async function judge(project: string, ledger: Ledger): Promise<void> {
  let wrong: string[] = []
  await until(
    'every call to be there once',
    async () => {
      wrong = ledger.judge(await server.api.calls(project))
      return wrong.length === 0
    },
    20,
  ).catch(() => expect(wrong.slice(0, 10), `${wrong.length} wrong of ${ledger.size}`).toEqual([]))
}

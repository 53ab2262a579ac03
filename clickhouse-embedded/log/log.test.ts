/** The log with a real engine: killed after each step, with files that are torn or full, and while others read. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rounds } from '../../test/support/rounds.js'
import type { Step } from './flush.js'
import { block, insertion, LoggedEngine, newFolder } from './testing/logged-engine.js'

/** Kills at each step, and pairs of reads beside writers. */
const ROUNDS = rounds(1)

let engine: LoggedEngine
beforeEach(() => {
  engine = new LoggedEngine()
})
afterEach(async () => {
  await engine.stop()
  rmSync(dirname(engine.dataDir), { recursive: true, force: true })
})

const folder = () => join(engine.dataDir, 'write-log')
const segments = () => readdirSync(folder()).filter((name) => name.startsWith('segment-'))

/** True where this user may mount a file system that is soon full. */
function canMount(): boolean {
  const folder = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Inserts, and reads so that the log flushes, until the process has died. */
async function untilDead(): Promise<void> {
  for (;;) {
    try {
      for (const rows of [3, 200, 1]) await engine.insert(rows)
      await engine.run('SELECT count() FROM t')
    } catch {
      break
    }
  }
  await engine.exited
}

test('killed after any step, every acknowledged row is there once', async () => {
  await engine.start()
  await engine.table()
  await engine.insert(2)
  expect(await engine.run('SELECT count() FROM t')).toBe('3')
  await engine.stop()
  const steps: Step[] = ['written', 'synced', 'sealed', 'inserted', 'recycled']
  for (let round = 0; round < ROUNDS; round++)
    for (const step of steps) {
      const before = engine.acknowledged.length
      await engine.start({ dieAfter: step })
      await untilDead()
      // Once more where nobody has brought in what the first one left.
      if (round % 2 === 1) {
        await engine.start({ dieAfter: 'inserted' }).catch(() => undefined)
        await engine.kill()
      }
      await engine.start()
      expect([step, await engine.wrong()]).toEqual([step, ''])
      expect(engine.acknowledged.length).toBeGreaterThan(before)
      await engine.stop()
    }
})

describe('what an end leaves', () => {
  test('is brought in before anybody is answered, and by an engine that logs nothing, too', async () => {
    await engine.start()
    await engine.table()
    await engine.insert(5)
    await engine.kill()
    await engine.start({ logged: [] })
    expect(await engine.wrong()).toBe('')
    expect(await engine.run('SELECT count() FROM t')).toBe('6')
    expect(segments()).toEqual([])
  })

  test('ends where a body is not whole; what was there before it is kept', async () => {
    await engine.start()
    await engine.table()
    const first = await engine.insert(3)
    const second = await engine.insert(4)
    const third = await engine.insert(5)
    await engine.kill()
    const torn = openSync(join(folder(), segments()[0]!), 'r+')
    writeSync(torn, Buffer.from('torn'), 0, 4, block(first).length + block(second).length + 40)
    closeSync(torn)
    await engine.start()
    expect(await engine.run('SELECT arraySort(groupArray(id)) FROM t')).toBe(
      JSON.stringify([0, ...first, ...second]).replaceAll(' ', ''),
    )
    engine.acknowledged.splice(-third.length)
    await engine.insert(2)
    expect(await engine.wrong()).toBe('')
  })

  test('does not include bodies of an earlier generation of the same file', async () => {
    await engine.start()
    await engine.table()
    for (let n = 0; n < 4; n++) await engine.insert(10)
    expect(await engine.run('SELECT count() FROM t')).toBe('41')
    await engine.run('TRUNCATE TABLE t')
    engine.acknowledged.splice(0)
    await engine.insert(10)
    await engine.insert(10)
    await engine.kill()
    expect(segments()).toHaveLength(1)
    await engine.start()
    expect(await engine.run('SELECT count() FROM t')).toBe('20')
    expect(await engine.wrong()).toBe('')
  })

  test('is nothing once it is deleted from its table', async () => {
    await engine.start()
    await engine.run(
      'CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1',
    )
    await engine.insert(1)
    await engine.insert(4)
    await engine.run('DELETE FROM t WHERE id > 2')
    await engine.kill()
    await engine.start()
    expect(await engine.run('SELECT arraySort(groupArray(id)) FROM t')).toBe('[0,1,2]')
  })
})

describe('a full disk', () => {
  test.skipIf(!canMount())(
    'is told to the writer; what was acknowledged is there, and writing goes on when there is room',
    async () => {
      await engine.start()
      await engine.table()
      await engine.stop()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder()])
      try {
        await engine.start()
        await engine.insert(1)
        const wide = 'x'.repeat(10_000)
        const filling = async () => {
          for (let n = 0; n < 300; n++) await engine.insert(1, wide)
        }
        await expect(filling()).rejects.toThrow(/NOT_ENOUGH_SPACE/)
        expect(await engine.wrong()).toBe('')
        await engine.insert(1, wide)
        await engine.kill()
        await engine.start()
        expect(await engine.wrong()).toBe('')
        await engine.stop()
      } finally {
        execFileSync('umount', ['-l', folder()])
      }
      await engine.start()
    },
  )
})

describe('an engine that takes nothing now', () => {
  test('holds up readers of that table, who are told; writers and other tables go on, and nothing is lost', async () => {
    await engine.start()
    const settings = 'SETTINGS parts_to_throw_insert = 1'
    await engine.run(`CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id ${settings}`)
    await engine.insert(1)
    await engine.insert(5)
    await expect(engine.run('SELECT count() FROM t')).rejects.toThrow(/SERVER_OVERLOADED/)
    await engine.insert(5)
    await engine.run('CREATE TABLE u (id UInt64) ENGINE = MergeTree ORDER BY id')
    expect(await engine.run('SELECT count() FROM u')).toBe('0')
    await engine.run('DROP TABLE u')
    await engine.kill()
    await expect(engine.start()).rejects.toThrow(/TOO_MANY_PARTS/)
    expect(segments().length).toBeGreaterThan(0)
  })
})

describe('a statement that says which rows it reads', () => {
  /** A table that takes no second part: what is logged stays in the log. */
  const stuck = async (): Promise<void> => {
    await engine.start()
    const settings = 'SETTINGS parts_to_throw_insert = 1'
    await engine.run(`CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id ${settings}`)
    await engine.insert(1, 'idle')
  }

  test('waits for no others', async () => {
    await stuck()
    await engine.insert(5, 'busy')
    expect(await engine.countOf('idle')).toBe('1')
    const waiting = [engine.countOf('busy'), engine.countOf('idle', 'busy')].map((busy) =>
      expect(busy).rejects.toThrow(/SERVER_OVERLOADED/),
    )
    // Also while others wait for theirs.
    expect(await engine.countOf('idle')).toBe('1')
    expect(await engine.countOf('idle', 'nobody')).toBe('1')
    // Nor one that asks for what is in the table alone.
    expect(await engine.run('SELECT count() FROM t /* only in parts */')).toBe('1')
    await Promise.all(waiting)
    await engine.kill()
  })

  test('waits for no others when all files of the log are full of them', async () => {
    await stuck()
    const readers: Promise<unknown>[] = []
    let refused: unknown
    // Each reader seals a file; the insert after the last one finds none.
    while (!refused) {
      await engine.insert(1, 'busy').catch((error: unknown) => {
        refused = error
      })
      readers.push(engine.countOf('busy').catch((error: unknown) => error))
    }
    expect(String(refused)).toMatch(/SERVER_OVERLOADED/)
    expect(segments()).toHaveLength(6)
    expect(await engine.countOf('idle')).toBe('1')
    for (const answer of await Promise.all(readers)) expect(String(answer)).toMatch(/SERVER_OVERLOADED/)
    await engine.kill()
  })

  test('sees its own rows, also those among rows of others', async () => {
    await engine.start()
    await engine.table()
    let isDone = false
    const others = (async () => {
      while (!isDone) await engine.insert(200, 'other')
    })()
    for (let n = 1; n <= 10; n++) {
      await engine.insert(1, 'mine')
      expect(await engine.countOf('mine')).toBe(String(n))
    }
    isDone = true
    await others
    expect(await engine.countOf('other')).not.toBe('0')
    expect(await engine.wrong()).toBe('')
  })
})

describe('a statement that takes the newest rows from the log itself', () => {
  /** Such a table takes no second part: what is logged stays in the log. */
  const takesOnePart = 'SETTINGS parts_to_throw_insert = 1'
  const asked = '/* first from the log: (id, v, 7) ORDER BY id, v DESC SINCE {s:Int64} LIMIT {n:UInt64} */'
  /** Ids of the newest rows with this `v`, newest first, as its reader puts them together; and how many came twice. */
  const newest = async (v: string, n: number, since = 0, until?: number) => {
    const said = until === undefined ? asked : asked.replace(' LIMIT', ' UNTIL {u:Int64} LIMIT')
    const upTo = until === undefined ? '' : 'AND id <= {u:Int64}'
    const rows = `SELECT id, v, 7 FROM t /* only v = {v:String} */ ${said} WHERE v = {v:String} AND id >= {s:Int64} ${upTo}`
    const onlyIf = `/* only if (SELECT 1 FROM t WHERE v = {v:String} AND id >= {s:Int64} LIMIT 1) */`
    const sql = `${rows} ORDER BY id DESC, v DESC LIMIT {n:UInt64} ${onlyIf} FORMAT RowBinary`
    const bytes = await engine.bytes(sql, { v, n: String(n), s: String(since), u: String(until) })
    const ids: number[] = []
    for (let at = 0; at < bytes.length; at += 8 + 1 + v.length + 1) {
      const end = at + 9 + v.length
      expect([bytes.toString('utf8', at + 9, end), bytes[end]]).toEqual([v, 7])
      ids.push(Number(bytes.readBigUInt64LE(at)))
    }
    return [...new Set(ids)].sort((a, b) => b - a).slice(0, n)
  }

  test('waits for none of them, and sees all', async () => {
    await engine.start()
    await engine.run(`CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id ${takesOnePart}`)
    const mine = await engine.insert(2, 'mine')
    for (const [rows, v] of [
      [3, 'mine'],
      [5, 'other'],
      [4, 'mine'],
    ] as const) {
      const ids = await engine.insert(rows, v)
      if (v === 'mine') mine.push(...ids)
    }
    mine.reverse()
    expect(await newest('mine', 100)).toEqual(mine)
    expect(await newest('mine', 3)).toEqual(mine.slice(0, 3))
    expect(await newest('mine', 100, mine[2]!)).toEqual(mine.slice(0, 3))
    expect(await newest('mine', 100, 0, mine[2]!)).toEqual(mine.slice(2))
    expect(await newest('mine', 2, mine[4]!, mine[1]!)).toEqual(mine.slice(1, 3))
    expect(await newest('mine', 100, mine[4]!, mine[1]!)).toEqual(mine.slice(1, 5))
    expect(await newest('nobody', 100)).toEqual([])
    const stuck = expect(engine.countOf('mine')).rejects.toThrow(/SERVER_OVERLOADED/)
    // While a file is on its way into the table, too.
    mine.unshift(...(await engine.insert(2, 'mine')).reverse())
    expect(await newest('mine', 100)).toEqual(mine)
    await stuck
    await engine.kill()
  })

  test('sees what was acknowledged before it, while others write and files go into the table', async () => {
    await engine.start()
    await engine.table()
    const mine: number[] = []
    let isDone = false
    const others = [
      async () => void mine.push(...(await engine.insert(7, 'mine'))),
      async () => void (await engine.insert(150, 'other')),
      async () => void (await engine.countOf('mine')),
    ].map(async (work) => {
      while (!isDone) await work()
    })
    for (let n = 0; n < ROUNDS * 60; n++) {
      const before = [...mine].sort((a, b) => b - a).slice(0, 20)
      const found = await newest('mine', 20)
      const after = new Set(mine)
      const oldest = found.at(-1) ?? 0
      expect(found.length).toBeGreaterThanOrEqual(before.length)
      // Those that are not there have newer ones before them.
      for (const id of before) expect(found.includes(id) || (found.length === 20 && id < oldest)).toBe(true)
      expect(after.size).toBe(mine.length)
    }
    isDone = true
    await Promise.all(others)
    expect(await newest('mine', 20)).toEqual([...mine].sort((a, b) => b - a).slice(0, 20))
    expect(await engine.wrong()).toBe('')
  })

  test('runs only if another has rows, where it says so and the log has as many as are asked for', async () => {
    await engine.start()
    await engine.run(`CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id ${takesOnePart}`)
    await engine.insert(3, 'v')
    expect(await engine.countOf('v')).toBe('3')
    await engine.insert(3, 'v')
    const rowsOf = async (n: number, onlyIf: string) => {
      const rows = `SELECT id, v, 7 FROM t /* only v = {v:String} */ ${asked} WHERE v = {v:String} /* only if (${onlyIf}) */`
      const bytes = await engine.bytes(`${rows} FORMAT RowBinary`, { v: 'v', n: String(n), s: '0' })
      return bytes.length / (8 + 1 + 1 + 1)
    }
    expect(await rowsOf(3, 'SELECT 1 WHERE 0')).toBe(3)
    expect(await rowsOf(4, 'SELECT 1 WHERE 0')).toBe(6)
    expect(await rowsOf(3, 'SELECT 1 FROM t LIMIT 1')).toBe(6)
    // Where there were others the last time, nobody asks whether there are any.
    expect(await rowsOf(3, 'SELECT 1 WHERE 0')).toBe(6)
    await engine.kill()
  })

  test('waits as others do where the log holds what only the engine can read', async () => {
    await engine.start()
    await engine.table()
    const wide = 'x'.repeat(3 << 20)
    for (let n = 0; n < 2; n++) await engine.insert(1, wide)
    const rows = `SELECT id, v, 7 FROM t /* only v = {v:String} */ ${asked} WHERE v = {v:String} AND id >= {s:Int64} FORMAT RowBinary`
    const bytes = await engine.bytes(rows, { v: wide, n: '5', s: '0' })
    expect(bytes.length).toBe(2 * (8 + 4 + wide.length + 1))
    const other = asked.replace('(id, v, 7)', '(id, missing, 7)')
    await engine.insert(2, 'a')
    expect((await engine.bytes(rows.replace(asked, other), { v: 'a', n: '5', s: '0' })).length).toBe(2 * 11)
  })
})

describe('an insert that is logged', () => {
  test('is one that the engine has run: what it refuses, the client hears', async () => {
    await engine.start()
    await engine.table()
    await expect(engine.run('INSERT INTO t (id, nothing) FORMAT Native', block([1]))).rejects.toThrow(
      /nothing/,
    )
    await engine.run('ALTER TABLE t DROP COLUMN v')
    await expect(engine.insert(1)).rejects.toThrow(/ v /)
  })

  test('goes over the stream of the parent where HTTP would have it logged, and nowhere else', async () => {
    await engine.start()
    await engine.run('CREATE TABLE u AS system.one ENGINE = Memory')
    await engine.run('CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id')
    expect(await engine.append(insertion, block([1]))).toBe(false)
    await engine.run(insertion, block([2]))
    expect(await engine.append(insertion, block([3, 4]))).toBe(true)
    expect(await engine.append(insertion, block([]))).toBe(false)
    const large = block([5], 'x'.repeat(2 << 20))
    expect(await engine.append(insertion, large)).toBe(false)
    expect(await engine.append('INSERT INTO u FORMAT Native', block([6]))).toBe(false)
    expect(await engine.append('SELECT 1', block([7]))).toBe(false)
    expect(await engine.run('SELECT groupArray(id) FROM (SELECT id FROM t ORDER BY id)')).toBe('[2,3,4]')
    await engine.run('ALTER TABLE t DROP COLUMN v')
    expect(await engine.append(insertion, block([8]))).toBe(false)
  })

  test('makes no part by itself; many make one', async () => {
    await engine.start()
    await engine.table()
    await Promise.all(Array.from({ length: 50 }, () => engine.insert(10)))
    expect(await engine.run('SELECT count() FROM t')).toBe('501')
    const made = await engine.run("SELECT max(max_block_number) FROM system.parts WHERE table = 't'")
    expect(Number(made)).toBeLessThanOrEqual(3)
  })

  test('is read by the statement that comes after it, whatever that is, while others write', async () => {
    await engine.start()
    await engine.table()
    let isDone = false
    const others = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isDone) await engine.insert(500)
      }),
    )
    for (const read of [
      (id: number) => `SELECT count() FROM t WHERE id = ${id}`,
      (id: number) => `SELECT count() FROM (SELECT * FROM \`t\` WHERE id = ${id})`,
      (id: number) => `SELECT count() FROM default."t" WHERE id IN (SELECT ${id})`,
      (id: number) => `WITH ${id} AS one SELECT countIf(id = one) FROM t`,
    ])
      for (let n = 0; n < ROUNDS * 2; n++) {
        const [id] = await engine.insert(1)
        expect(await engine.run(read(id!))).toBe('1')
      }
    isDone = true
    await others
    expect(await engine.wrong()).toBe('')
  })

  test('is in a backup that begins after it', async () => {
    await engine.start()
    await engine.table()
    let isDone = false
    const others = (async () => {
      while (!isDone) await engine.insert(50)
    })()
    await engine.insert(7)
    const before = [...engine.acknowledged]
    const file = join(dirname(engine.dataDir), 'backup')
    await engine.run(`BACKUP TABLE t TO File('${file}')`)
    isDone = true
    await others
    await engine.run('DROP TABLE t SYNC')
    await engine.run(`RESTORE TABLE t FROM File('${file}')`)
    engine.acknowledged.splice(before.length)
    expect(await engine.wrong()).toBe('')
  })

  test('which the engine refuses harms no other, and is kept with its reason', async () => {
    await engine.start()
    await engine.table('UInt8')
    for (const v of ['2', '3', '4']) await engine.insert(10, v)
    const refused = await engine.insert(1, 'no number')
    engine.acknowledged.pop()
    for (const v of ['5', '6']) await engine.insert(10, v)
    expect(await engine.run('SELECT count() FROM t')).toBe('51')
    expect(await engine.wrong()).toBe('')
    const kept = readdirSync(join(folder(), 'refused')).sort()
    expect(kept).toHaveLength(2)
    const [reason, body] = kept.map((name) => readFileSync(join(folder(), 'refused', name)))
    expect(JSON.parse(reason!.toString())).toMatchObject({
      table: 't',
      rows: 1,
      cause: expect.stringContaining('no number'),
    })
    expect(body!.equals(block(refused, 'no number'))).toBe(true)
    expect(engine.said.join()).toMatch(/refuses 1 rows of t, which are kept in/)

    // What a failing disk has kept out is brought in by the next start; what is wrong stays.
    const [json, native] = kept.map((name) => join(folder(), 'refused', name))
    const because = (n: number, cause: string) => {
      const path = native!.replace(/\d+\.native$/, `${n}.native`)
      writeFileSync(path, block([900 + n], '7'))
      writeFileSync(
        path.replace('native', 'json'),
        JSON.stringify({ ...JSON.parse(reason!.toString()), cause }),
      )
      return path
    }
    const failed = because(1, 'Code: 204. DB::Exception: Cannot fsync. (CANNOT_FSYNC)')
    const short = because(2, 'the engine took 1 rows of 2')
    for (const count of ['52', '52']) {
      await engine.stop()
      await engine.start()
      expect(await engine.run('SELECT count() FROM t')).toBe(count)
      expect([json, native, short, failed].map((path) => existsSync(path!))).toEqual([
        true,
        true,
        true,
        false,
      ])
    }
  })
})

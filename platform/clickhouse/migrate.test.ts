import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sharedTestEngine, type TestEngine } from '../testing/engine.js'
import { mutableName } from './cluster.js'
import { type Migration, migrate, planMigrations, rendered, shippedMigrations } from './migrate.js'
import { withMigrationLock } from './migration-lock.js'
import { bind, sql } from './sql.js'
import type { Store } from './store.js'

let engine: TestEngine
beforeAll(async () => {
  engine = await sharedTestEngine()
})
afterAll(() => engine.stop())

const files = shippedMigrations().map(({ file }) => file)
const tables = async (store: Store) => {
  const rows = await store.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
  )
  return rows.map(({ name }) => name)
}

/** A migration of one's own, on top of the bookkeeping. */
const own = (file: string, ...statements: string[]): Migration => ({
  file,
  statements,
  checksum: statements.join(),
})
const bookkeeping = shippedMigrations().slice(0, 1)

describe('the shipped migrations', () => {
  it('apply once, in order', async () => {
    const store = await engine.database('once')
    const seen: string[] = []
    expect((await planMigrations(store)).pending.map(({ file }) => file)).toEqual(files)
    expect(await migrate(store, { progress: (file) => void seen.push(file) })).toEqual(files)
    expect(seen).toEqual(files)
    expect(await migrate(store)).toEqual([])
    expect(await planMigrations(store)).toEqual({ pending: [], unknown: [], newestProgram: '' })
    expect(await tables(store)).toContain('calls')
  })

  it('can be run again, each statement of them', async () => {
    const store = await engine.database('again')
    for (let i = 0; i < 2; i++) {
      for (const migration of shippedMigrations()) {
        for (const statement of rendered(migration, undefined)) await store.runTrusted(statement)
      }
    }
    expect(await tables(store)).toContain('calls_open')
  })

  it('let no table lose at power loss what was acknowledged', async () => {
    const store = await engine.database('power')
    await migrate(store)
    const made = await store.rows<{ name: string; engine_full: string }>(
      sql`SELECT name, engine_full FROM system.tables WHERE database = currentDatabase()`,
    )
    // Claims that end by themselves, lists that are thrown away within the hour, what a worker notes beside its events, how
    // often a link was opened.
    const passing = ['migration_lock', 'table_lists', 'training_logs', 'share_views']
    for (const { name, engine_full } of made.filter((one) => !passing.includes(one.name)))
      for (const setting of [
        'fsync_after_insert',
        'fsync_part_directory',
        'min_rows_to_fsync_after_merge',
        'min_compressed_bytes_to_fsync_after_merge',
      ])
        expect(engine_full, `${name}: a migration gives it ${setting}`).toContain(`${setting} = 1`)
  })

  it('are SQL to the engine, for a cluster too', async () => {
    const store = await engine.database('parsed')
    for (const migration of shippedMigrations()) {
      for (const statement of rendered(migration, 'main')) {
        const text = sql`SELECT formatQuerySingleLine(${bind.string(statement)}) AS text`
        const parsed = await store.row<{ text: string }>(text)
        expect(parsed?.text).toMatch(
          /ON CLUSTER main.* (ENGINE = (Replicated\w*MergeTree|Distributed)\(|\((MODIFY SETTING|RESET SETTING|MODIFY COLUMN|ADD COLUMN|ADD INDEX|MATERIALIZE COLUMN) )/,
        )
      }
    }
  })
})

it.each(['UPDATE % SET display_name = 1 WHERE id = 2', 'DELETE FROM % WHERE id = 2'])(
  'what changes rows on a cluster is SQL to the engine: %s',
  async (statement) => {
    const store = await engine.database(`changes_${statement.slice(0, 6)}`)
    const text = statement.replace('%', mutableName('calls', 'main').render().query)
    const parsed = await store.row<{ text: string }>(
      sql`SELECT formatQuerySingleLine(${bind.string(text)}) AS text`,
    )
    expect(parsed?.text).toContain('calls_local ON CLUSTER main')
  },
)

describe('a migrator', () => {
  it('that was killed half-way is run again', async () => {
    const store = await engine.database('half')
    const create = 'CREATE TABLE IF NOT EXISTS one (a String) ENGINE = MergeTree ORDER BY a'
    const broken = own('0001_two.sql', create, 'CREATE TABLE IF NOT EXISTS two (')
    await expect(migrate(store, { migrations: [...bookkeeping, broken] })).rejects.toThrow('0001_two.sql: ')
    expect(await tables(store)).toContain('one')
    expect((await planMigrations(store, [...bookkeeping, broken])).pending).toEqual([broken])
    const whole = own('0001_two.sql', create, create.replace('one', 'two'))
    expect(await migrate(store, { migrations: [...bookkeeping, whole] })).toEqual(['0001_two.sql'])
    expect(await tables(store)).toContain('two')
  })

  it('waits for the one that is at work, and then finds nothing to do', async () => {
    const store = await engine.database('several')
    const done = await Promise.all(Array.from({ length: 4 }, () => migrate(store)))
    expect(done.flat()).toEqual(files)
    expect((await store.rows(sql`SELECT file FROM migrations`)).length).toBe(files.length)
  })

  it('gives up on one that does not end', async () => {
    const store = await engine.database('held')
    await migrate(store, { migrations: bookkeeping })
    const waiting: string[] = []
    await withMigrationLock(store, { timeoutMs: 0 }, async () => {
      const late = migrate(store, { timeoutMs: 300, waiting: () => void waiting.push('told') })
      await expect(late).rejects.toThrow('another migrator holds the lock')
    })
    expect(waiting).toEqual(['told'])
  })

  it('takes the lock of one that was killed when its claim has run out', async () => {
    const store = await engine.database('dead')
    await migrate(store, { migrations: bookkeeping })
    const claim = (owner: string, until: string) =>
      store.runTrusted(`INSERT INTO migration_lock SELECT '${owner}', 1, ${until}`)
    await claim('dead', 'now64(6) - toIntervalMillisecond(1)')
    expect(await withMigrationLock(store, { timeoutMs: 0 }, async () => 'mine')).toBe('mine')
    await claim('alive', 'now64(6) + toIntervalSecond(60)')
    await expect(withMigrationLock(store, { timeoutMs: 0 }, async () => 'mine')).rejects.toThrow('another')
  })

  it('takes the lock of one that was killed before the clock was set back', async () => {
    const store = await engine.database('set_back')
    await migrate(store, { migrations: bookkeeping })
    await store.runTrusted(`INSERT INTO migration_lock SELECT 'dead', 1, now64(6) + toIntervalHour(1)`)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const waiting = () => void vi.advanceTimersByTime(16_000)
      expect(await withMigrationLock(store, { timeoutMs: 60_000, waiting }, async () => 'mine')).toBe('mine')
    } finally {
      vi.useRealTimers()
    }
  })

  it('never runs beside another one', async () => {
    const store = await engine.database('alone')
    await migrate(store, { migrations: bookkeeping })
    let inside = 0
    const work = async (check: () => void) => {
      expect(++inside).toBe(1)
      await store.row(sql`SELECT 1`)
      check()
      inside--
    }
    await Promise.all(Array.from({ length: 5 }, () => withMigrationLock(store, { timeoutMs: 60_000 }, work)))
  })

  it('refuses a file that was changed after it was applied', async () => {
    const store = await engine.database('changed')
    const [before, after] = ['String', 'UInt8'].map((type) =>
      own('0001_one.sql', `CREATE TABLE IF NOT EXISTS one (a ${type}) ENGINE = MergeTree ORDER BY a`),
    )
    await migrate(store, { migrations: [...bookkeeping, before!] })
    await expect(migrate(store, { migrations: [...bookkeeping, after!] })).rejects.toThrow(
      'made by a build with a different 0001_one.sql',
    )
  })

  it('of an older program stops over newer tables, and says which version to run', async () => {
    const store = await engine.database('newer')
    const later = own('9999_later.sql', 'SELECT 1')
    await migrate(store, { migrations: [...shippedMigrations(), later], program: '9.8.7' })
    expect((await planMigrations(store)).unknown).toEqual(['9999_later.sql'])
    await expect(migrate(store, { program: '1.2.3' })).rejects.toThrow(
      'newer than this program, Heddle 1.2.3: it lacks 9999_later.sql; run Heddle 9.8.7 or later',
    )
    await expect(migrate(store, { program: '9.8.7' })).rejects.toThrow('; run a newer build')
  })

  it('stops over newer tables of which no program is recorded', async () => {
    const store = await engine.database('newer_unsaid')
    await migrate(store, { migrations: [...bookkeeping, own('9999_later.sql', 'SELECT 1')] })
    await expect(migrate(store, { program: '1.2.3' })).rejects.toThrow(
      'it lacks 9999_later.sql; run a newer build',
    )
    expect(await tables(store)).not.toContain('calls')
  })
})

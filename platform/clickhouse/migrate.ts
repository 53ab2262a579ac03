/**
 * Migrates the tables: numbered `.sql` files, each run once and recorded. Every statement can be run again, so a file
 * that was interrupted simply starts over.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { withMigrationLock } from './migration-lock.js'
import { render } from './render.js'
import { splitStatements } from './split.js'
import { bind, sql } from './sql.js'
import type { Store } from './store.js'

const FOLDER = new URL('./migrations/', import.meta.url)
const BOOKKEEPING = '0000_migrations.sql'
const PROGRAM_COLUMN = '0062_program_of_migrations.sql'

/** One `.sql` file. */
export interface Migration {
  file: string
  /** with placeholders, without comments */
  statements: string[]
  /** over the statements only, so that comments can change */
  checksum: string
}

/** The migrations to apply, and anomalies. */
export interface Plan {
  pending: Migration[]
  /** applied files that this build lacks: the tables are newer than it */
  unknown: string[]
  /** the program that applied the last of these; '' if none is recorded */
  newestProgram: string
}

export interface MigrateOptions {
  /** this program's version, which is recorded with what it applies; default: none is */
  program?: string
  cluster?: string | undefined
  migrations?: readonly Migration[]
  /** how long to wait for another migrator, in ms */
  timeoutMs?: number
  /** called before each file */
  progress?: (file: string, position: number, total: number) => void
  waiting?: () => void
}

/** The migrations that ship with this program, in order. */
export function shippedMigrations(folder: URL = FOLDER): Migration[] {
  const files = readdirSync(folder).filter((file) => /^\d{4}_\w+\.sql$/.test(file))
  return files.sort().map((file) => {
    const statements = splitStatements(readFileSync(new URL(file, folder), 'utf8'))
    const checksum = createHash('sha256').update(statements.join(';\n')).digest('hex')
    return { file, statements, checksum }
  })
}

/** The statements of `migration`, ready to run. */
export function rendered(migration: Migration, cluster: string | undefined): string[] {
  return migration.statements.flatMap((statement) => render(statement, cluster))
}

/**
 * Compares `migrations` with those that the store has applied; changes nothing. In a store without our tables all are
 * pending. Throws if an applied file has changed since.
 */
export async function planMigrations(
  store: Store,
  migrations: readonly Migration[] = shippedMigrations(),
): Promise<Plan> {
  const table = await store.row(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'migrations'`,
  )
  const rows = table ? await store.rows<Applied>(sql`SELECT * FROM migrations FINAL ORDER BY file`) : []
  const applied = new Map(rows.map(({ file, checksum }) => [file, checksum]))
  for (const { file, checksum } of migrations) {
    const before = applied.get(file)
    if (before !== undefined && before !== checksum) throw new Error(changed(file))
  }
  const unknown = rows.filter(({ file }) => !migrations.some((migration) => migration.file === file))
  return {
    pending: migrations.filter(({ file }) => !applied.has(file)),
    unknown: unknown.map(({ file }) => file),
    newestProgram: unknown.findLast(({ program }) => program)?.program ?? '',
  }
}

/**
 * Stops an old program over newer tables: it doesn't know what their columns mean, and would write rows without them.
 * @param program this one's version
 * @throws Error that says which version to run
 */
export function checkNotNewer({ unknown, newestProgram }: Plan, program: string): void {
  if (unknown.length === 0) return
  const what = `the tables of this store are newer than this program${program && `, Heddle ${program}`}: it lacks ${unknown.join(', ')}`
  const needed =
    newestProgram === '' || newestProgram === program
      ? 'a newer build'
      : `Heddle ${newestProgram} or later, which applied them`
  throw new Error(`${what}; run ${needed}`)
}

/**
 * Applies pending migrations in order, under the migration lock.
 * @returns the files that were applied
 * @throws Error if the tables are newer than this program
 */
export async function migrate(store: Store, options: MigrateOptions = {}): Promise<string[]> {
  const {
    cluster,
    program = '',
    migrations = shippedMigrations(),
    timeoutMs = 600_000,
    progress,
    waiting,
  } = options
  const plan = await planMigrations(store, migrations)
  checkNotNewer(plan, program)
  if (plan.pending.length === 0) return []
  const bookkeeping = shippedMigrations().find(({ file }) => file === BOOKKEEPING)!
  for (const statement of rendered(bookkeeping, cluster)) await store.runTrusted(statement)
  return withMigrationLock(store, { timeoutMs, ...(waiting && { waiting }) }, async (check) => {
    // The previous lock holder may have applied some or all.
    const current = await planMigrations(store, migrations)
    checkNotNewer(current, program)
    const { pending } = current
    let canName = await hasProgramColumn(store)
    for (const [i, migration] of pending.entries()) {
      progress?.(migration.file, i + 1, pending.length)
      for (const statement of rendered(migration, cluster)) {
        check()
        await store.runTrusted(statement).catch(failedIn(migration.file, statement))
      }
      canName ||= migration.file === PROGRAM_COLUMN
      await record(store, migration, canName ? program : undefined)
    }
    return pending.map(({ file }) => file)
  })
}

interface Applied {
  file: string
  checksum: string
  /** missing in tables that are older than its column */
  program?: string
}

function failedIn(file: string, statement: string): (error: Error) => never {
  return (error) => {
    const cause = error.cause instanceof Error ? error.cause : error
    throw new Error(`${file}: ${cause.message} (in ${statement.split('\n')[0]})`)
  }
}

async function hasProgramColumn(store: Store): Promise<boolean> {
  const column = await store.row(
    sql`SELECT name FROM system.columns
        WHERE database = currentDatabase() AND table = 'migrations' AND name = 'program'`,
  )
  return column !== undefined
}

/** @param program undefined: there is no column for it yet */
async function record(
  store: Store,
  { file, checksum }: Migration,
  program: string | undefined,
): Promise<void> {
  const [name, value] =
    program === undefined ? [sql``, sql``] : [sql`, program`, sql`, ${bind.string(program)}`]
  await store.run(
    sql`INSERT INTO migrations (file, checksum, applied_at${name})
        SELECT ${bind.string(file)}, ${bind.string(checksum)}, now64(6)${value}`,
  )
}

function changed(file: string): string {
  return `the tables of this store were made by a build with a different ${file}; run that build. Never edit a migration that was applied: docs/migrations.md`
}

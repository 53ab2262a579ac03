/** `heddle backup` and `heddle restore`: copies all tables and artifacts to a folder or an S3-compatible store, and back. */
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { openArtifacts, type S3Access } from '../../platform/artifacts/open.js'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { auditedHere } from '../audited.js'
import { CommandError } from '../command.js'
import { Stages } from '../progress.js'
import { s3AccessOf, wholeAddress } from '../serve/artifacts.js'
import { DataFolder } from '../up/data-folder.js'
import { version } from '../version.js'
import { backup, restore } from './backup/backup.js'
import { locationOf } from './backup/location.js'
import { type Manifest, readManifest, STORE_FOLDER } from './backup/manifest.js'
import { makeDatabase } from './database.js'
import { checkStoreExists, withStoreOptions } from './reach-store.js'
import { usingStore } from './store-options.js'

type BackupConfig = Config<typeof processes.backup>

/** Writes a backup to `destination`; says what is in it. @param base an earlier backup to add to */
export async function runBackup(config: BackupConfig, destination: string, base?: string): Promise<string> {
  const access = s3AccessOf(config)
  const embedded = config.clickhouseUrl === undefined
  const at = wholeAddress(destination)
  const earlier = base === undefined ? undefined : wholeAddress(base)
  if (earlier !== undefined && !(await manifestAt(earlier, access)))
    throw new CommandError(`no backup in ${base}`)
  const to = openArtifacts(at, access)
  if (await readManifest(to))
    throw new CommandError(`${destination} already holds a backup; choose another destination`)
  for await (const _ of to.keys(''))
    throw new CommandError(
      `${destination} is not empty; delete what an interrupted backup left there, or choose another destination`,
    )
  checkStoreExists(config)
  const artifacts = artifactsOf(config)
  const stages = new Stages()
  const made = await withPlainStore(config, (store) =>
    logged(store, () =>
      backup(store, to, {
        onProgress: stages.at,
        cluster: config.clickhouseCluster,
        location: locationOf(at, STORE_FOLDER, access, embedded),
        address: at,
        base:
          earlier === undefined
            ? undefined
            : { location: locationOf(earlier, STORE_FOLDER, access, embedded), address: earlier },
        version: version(),
        artifacts: artifacts && { from: artifacts.store, address: artifacts.address },
      }),
    ),
  ).finally(() => stages.end())
  return `backed up ${contents(made)} to ${destination}`
}

/** Tells the audit log, unless the tables are of a version that had none: they can be backed up before an update. */
async function logged<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const there = await store.row<{ result: number }>(sql`EXISTS TABLE audit`)
  if (there?.result !== 1) return work()
  return auditedHere(store, { action: 'backup', category: 'export', target: {} }, work)
}

/** Restores the backup in `source` into an empty store. @param base where the backup that it is based on is now */
export async function runRestore(config: BackupConfig, source: string, base?: string): Promise<string> {
  const access = s3AccessOf(config)
  const embedded = config.clickhouseUrl === undefined
  const at = wholeAddress(source)
  const manifest = await manifestAt(at, access)
  if (!manifest) throw new CommandError(`no complete backup in ${source}: heddle-backup.json is missing`)
  const earlier = await baseOf(manifest, at, base, access)
  const artifacts = artifactsOf(config)
  const stages = new Stages()
  await withPlainStore(config, (store) =>
    restore(store, openArtifacts(at, access), manifest, {
      onProgress: stages.at,
      cluster: config.clickhouseCluster,
      location: locationOf(at, STORE_FOLDER, access, embedded),
      base: earlier === undefined ? undefined : locationOf(earlier, STORE_FOLDER, access, embedded),
      artifacts: artifacts && { to: artifacts.store, address: artifacts.address },
    }),
  ).finally(() => stages.end())
  return `restored ${contents(manifest)}, as of ${manifest.begun}; now start Heddle (or run \`heddle migrate\`)`
}

/** The manifest of the backup at `address`, if there is one; makes no folder there. */
async function manifestAt(address: string, access: S3Access): Promise<Manifest | undefined> {
  if (!address.startsWith('s3:') && !existsSync(address)) return undefined
  return readManifest(openArtifacts(address, access))
}

/**
 * Where the backup that `manifest` is based on is: as given, else where it was, else where it lies from `at` as it did.
 * @returns undefined for a backup that is based on none
 */
async function baseOf(
  { base, address }: Manifest,
  at: string,
  given: string | undefined,
  access: S3Access,
): Promise<string | undefined> {
  if (base === null) return undefined
  const moved =
    address === undefined || `${base}${address}`.includes('s3:') ? [] : [resolve(at, relative(address, base))]
  const places = given === undefined ? [base, ...moved] : [wholeAddress(given)]
  for (const place of places) if (await manifestAt(place, access)) return place
  throw new CommandError(
    `this backup adds to another one, which is not in ${places.join(' or ')}; say where it is with --base`,
  )
}

/** A store, without migrating its tables. */
function withPlainStore<T>(config: BackupConfig, work: (store: Store) => Promise<T>): Promise<T> {
  return withStoreOptions(config, async (options) => {
    await makeDatabase(options, config.clickhouseCluster)
    return usingStore({ ...options, connections: 4 }, work)
  })
}

function artifactsOf(config: BackupConfig): { store: Artifacts; address: string } | undefined {
  const own = config.clickhouseUrl === undefined ? new DataFolder(config.dataDir).artifacts : undefined
  const address = config.artifacts === undefined ? own : wholeAddress(config.artifacts)
  return address === undefined ? undefined : { store: openArtifacts(address, s3AccessOf(config)), address }
}

function contents({ calls, tables, artifactCount }: Manifest): string {
  return `${tables.length} tables with ${calls} calls, and ${artifactCount} artifacts`
}

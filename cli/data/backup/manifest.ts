/** The manifest of a backup. It is written last, so a backup without one is incomplete. */
import { z } from 'zod'
import type { Artifacts } from '../../../platform/artifacts/artifacts.js'
import { collect } from '../../../platform/bytes/collect.js'

const MANIFEST = 'heddle-backup.json'
/** The folder of ClickHouse's own files in a backup, and that of the artifacts. */
export const STORE_FOLDER = 'store'
export const ARTIFACTS_FOLDER = 'artifacts'

const manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  /** ISO 8601: what was acknowledged before is in it */
  begun: z.string(),
  ended: z.string(),
  database: z.string(),
  tables: z.array(z.string()),
  migrations: z.array(z.string()),
  calls: z.number(),
  /** the address of the artifacts; null: there were none */
  artifacts: z.string().nullable(),
  artifactCount: z.number(),
  /** the address of the backup that this one is based on, when it was made; null: none */
  base: z.string().nullable(),
  /** its own address then; missing in older backups */
  address: z.string().optional(),
})
export type Manifest = z.infer<typeof manifest>

export async function writeManifest(at: Artifacts, value: Manifest): Promise<void> {
  await at.put(MANIFEST, Buffer.from(`${JSON.stringify(value, null, 2)}\n`))
}

/** undefined if there is no backup. @throws Error for one of a later release */
export async function readManifest(at: Artifacts): Promise<Manifest | undefined> {
  const content = await at.get(MANIFEST)
  if (!content) return undefined
  const read = manifest.safeParse(JSON.parse((await collect(content)).toString()))
  if (!read.success)
    throw new Error('the backup was made by a later release of Heddle; restore it with that one')
  return read.data
}

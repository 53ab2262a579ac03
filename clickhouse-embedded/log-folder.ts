/** The log's folder, seen from outside: its size, and bodies that the engine refused, which lie there until somebody looks at them. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the log in the engine's data folder. */
export const logFolder = (dataDir: string): string => join(dataDir, 'write-log')
/** Folder of refused bodies in the log's. */
export const refusedFolder = (folder: string): string => join(folder, 'refused')

/** How many bodies the engine of this data folder has refused after they were acknowledged. */
export function refusedBodies(dataDir: string): number {
  try {
    return readdirSync(refusedFolder(logFolder(dataDir))).filter((name) => name.endsWith('.native')).length
  } catch {
    return 0
  }
}

/** Bytes on disk of the log's files, which are not rows of tables: they are written again and again, or go when idle. */
export function logBytes(dataDir: string): number {
  const folder = logFolder(dataDir)
  try {
    const files = readdirSync(folder).filter((name) => name.startsWith('segment-'))
    return files.reduce(
      (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
      0,
    )
  } catch {
    return 0
  }
}

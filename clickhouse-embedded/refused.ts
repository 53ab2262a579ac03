/** What the engine has refused of what was logged: bodies that lie in the data folder until somebody looks at them. */
import { readdirSync } from 'node:fs'
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

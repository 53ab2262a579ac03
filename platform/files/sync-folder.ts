import { open } from 'node:fs/promises'

/** Syncs a folder's entries to disk, so that a file created or moved there survives a crash of the machine. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

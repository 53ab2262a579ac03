/** Artifacts in a folder. Writes to a temporary file, syncs it and renames it, so readers never see partial content. */

import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { syncFolder } from '../files/sync-folder.js'
import { type Artifacts, type ByteRange, checkKey } from './artifacts.js'

/** Only the owner may read these files: training data, adapters, large files of calls. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

export class FolderArtifacts implements Artifacts {
  /** @param root created on the first write */
  constructor(private readonly root: string) {}

  async put(key: string, content: Uint8Array): Promise<void> {
    await this.write(key, only(content))
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.pathOf(key)
    const beside = `${path}.${randomUUID()}.part`
    try {
      const file = await begun(beside)
      try {
        for await (const piece of content) await file.write(piece)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(beside, path)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
    await syncFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
      // Another writer already removed the file and its folder.
      if (error.code !== 'ENOENT') throw error
    })
  }

  async get(
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = this.pathOf(key)
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) return undefined
    if (range && range.from >= range.to) return nothing()
    return createReadStream(path, {
      ...(range && { start: range.from, end: range.to - 1 }),
      ...(signal && { signal }),
    })
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key)
    await rm(path, { force: true })
    // Most keys have a folder of their own, so remove it with its last file.
    await rmdir(dirname(path)).catch(() => undefined)
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    const folder = prefix === '' ? this.root : this.pathOf(prefix)
    const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of found) {
      if (!entry.isFile() || entry.name.endsWith('.part')) continue
      const below = relative(folder, join(entry.parentPath, entry.name))
      yield `${prefix === '' ? '' : `${prefix}/`}${below.split(sep).join('/')}`
    }
  }

  private pathOf(key: string): string {
    checkKey(key)
    return join(this.root, key)
  }
}

/** Opens a new file, creating its folder if it is missing or was just removed. */
async function begun(path: string): Promise<FileHandle> {
  for (let tries = 0; ; tries++) {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    try {
      return await open(path, 'wx', FILE_MODE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 10) throw error
    }
  }
}

async function* only(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

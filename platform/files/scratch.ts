/** Files that are there for a moment, in a folder where other processes of this machine may have theirs. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from './is-alive.js'

export class Scratch {
  private made = 0

  /** @param folder made when it is needed */
  constructor(private readonly folder: string) {}

  /**
   * Hands `use` the path of a file that is not there yet, and removes what it leaves there. Files of processes that were
   * killed are removed, too.
   */
  async file<T>(use: (path: string) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await this.removeAbandoned()
    const path = join(this.folder, `${process.pid}-${this.made++}`)
    try {
      return await use(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  private async removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const owner = Number.parseInt(name, 10)
      if (owner !== process.pid && !isAlive(owner)) await rm(join(this.folder, name), { force: true })
    }
  }
}

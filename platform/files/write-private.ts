/** Files that only this user may read. */
import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Writes a file that only this user may read, whole or not at all. Its folder must exist. */
export function writePrivate(path: string, content: string): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`)
  writeFileSync(temporary, content, { mode: 0o600 })
  // A file of that name that was left behind keeps its mode.
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

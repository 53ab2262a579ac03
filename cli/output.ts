/** What commands write for `--out`: a file, whole or not at all, or the standard output. */
import { once } from 'node:events'
import { createWriteStream, statSync, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CommandError } from './command.js'
import { unwritable } from './named-file.js'

/**
 * Writes what `pieces` yields; nothing is read before the file can be written.
 * @param out `-`: the standard output
 * @throws CommandError if the file can't be written
 */
export async function writeOut(out: string, pieces: () => AsyncIterable<Uint8Array | string>): Promise<void> {
  if (out === '-') return pipeline(pieces, process.stdout, { end: false })
  const temporary = `${out}.part`
  const file = await opened(temporary, out)
  try {
    await pipeline(pieces, file)
    await rename(temporary, out)
  } catch (error) {
    file.destroy()
    await rm(temporary, { force: true })
    throw error
  }
}

/** @throws CommandError that names the file */
async function opened(temporary: string, out: string): Promise<WriteStream> {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`${out} is a folder; name a file`, 2)
  const file = createWriteStream(temporary)
  try {
    await once(file, 'open')
    return file
  } catch (error) {
    throw unwritable(out, error)
  }
}

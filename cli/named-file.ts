/** Files that users name: reads one, and says why one can't be read or written. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from './command.js'

/** By the system's code for it. */
const WHY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'its folder is a file',
  ENOSPC: 'the disk is full',
  EROFS: 'it is on a read-only file system',
}

/** @throws CommandError that names the file */
export function readNamed(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** @param error of the system, at reading */
export function unreadable(file: string, error: unknown): CommandError {
  return new CommandError(`${file} can't be read: ${why(error, 'there is no such file')}`, 2)
}

/** @param error of the system, at writing */
export function unwritable(file: string, error: unknown): CommandError {
  return new CommandError(`${file} can't be written: ${why(error, `there is no folder ${dirname(file)}`)}`, 2)
}

function why(error: unknown, missing: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? missing : (WHY[code] ?? message)
}

/** Power loss, emulated: what the file system has not written goes. Needs one that tells what that is, and Python. */
import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './root.js'

export interface Unflushed {
  files: number
  bytes: number
}

/** Cuts every file below `folder` where its unwritten bytes begin. Nobody may write there meanwhile. */
export function losePower(folder: string): Unflushed {
  return unflushed(folder)
}

/** Whether the file system of the folder for temporary files tells written bytes from unwritten ones. */
export function canLosePower(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-power-'))
  try {
    const file = openSync(join(folder, 'probe'), 'w')
    writeSync(file, Buffer.alloc(100_000, 'x'))
    const before = unflushed(folder, '--look').files
    fsyncSync(file)
    closeSync(file)
    return before === 1 && unflushed(folder, '--look').files === 0
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function unflushed(folder: string, ...more: string[]): Unflushed {
  const script = join(root, 'test/crash/unflushed.py')
  const text = execFileSync('python3', [script, folder, ...more], { encoding: 'utf8', stdio: 'pipe' })
  return JSON.parse(text) as Unflushed
}

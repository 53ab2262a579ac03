/** Bodies that the engine refuses: each is kept with its reason, out of the way of all others, until somebody looks at it. */
import { readdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../platform/files/sync-folder.js'
import { engineFailure } from '../engine/failure.js'
import type { Opening } from './index-region.js'
import type { LogTarget } from './log-target.js'
import { isPassing } from './passing.js'
import type { Frame, Segment } from './segment.js'

type Reason = Opening & { cause: string; rows: number }

/** Keeps bytes of a file of the log in `folder`. @returns their path */
export async function keepRefused(
  folder: string,
  segment: Segment,
  frame: Frame,
  cause: string,
): Promise<string> {
  const path = join(folder, `${segment.generation}.native`)
  const reason: Reason = { ...segment.opening!, cause, rows: frame.rows }
  const text = `${JSON.stringify(reason, undefined, 2)}\n`
  await writeFile(reasonOf(path), text, { mode: 0o600, flush: true })
  await writeFile(`${path}.part`, await segment.read(frame), { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
  await syncFolder(folder)
  return path
}

/**
 * Brings in what was kept although nothing was wrong with it, as when a failing disk was taken for a refusal.
 * @param onFailure told why a body stays where it is
 * @returns rows that are in their tables now
 */
export async function bringRefused(
  folder: string,
  target: LogTarget,
  onFailure: (cause: string) => void,
): Promise<number> {
  let rows = 0
  const names = readdirSync(folder).map((name) => join(folder, name))
  for (const path of names.filter((name) => name.endsWith('.native') && names.includes(reasonOf(name)))) {
    try {
      const reason = JSON.parse(await readFile(reasonOf(path), 'utf8')) as Reason
      // Another cause is ours: of a body that was cut short, some rows are in the table, and nobody knows which.
      if (!reason.cause.startsWith('Code: ') || !isPassing(engineFailure(reason.cause).code)) continue
      if (!(await target.holds(reason, path))) await target.insert(reason, path, reason.rows)
      await rm(path)
      await rm(reasonOf(path))
      rows += reason.rows
    } catch (error) {
      onFailure(engineFailure(error, path).message)
    }
  }
  return rows
}

const reasonOf = (path: string) => path.replace(/native$/, 'json')

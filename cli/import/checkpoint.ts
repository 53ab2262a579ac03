/** How far an import has come: a file that is written after each stored batch, and removed at the end. */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { CommandError } from '../command.js'
import { unreadable, unwritable } from '../named-file.js'

const Progress = z.object({
  /** what is imported from where into where: another import must not go on from here */
  import: z.string(),
  began: z.string(),
  /** records read, by stage */
  counts: z.record(z.string(), z.number()),
  /** those of them that become nothing here, by stage; files of older builds lack it */
  skipped: z.record(z.string(), z.number()).default({}),
  /** stages that are finished */
  finished: z.array(z.string()),
  /** where the stage that runs goes on */
  position: z.unknown(),
  /** digests of objects that changed on the way, by what they were */
  digests: z.record(z.string(), z.string()),
  /** records that were refused, and why the first of them */
  refused: z.object({ count: z.number(), reasons: z.array(z.string()) }),
})
export type Progress = z.output<typeof Progress>

const MOST_REASONS = 5

export class Checkpoint {
  readonly progress: Progress
  /** whether an earlier run got somewhere */
  readonly resumed: boolean

  /**
   * @param subject what is imported from where into where, as one text
   * @param file default: one of this folder that is named by `subject`
   * @throws CommandError if the file is of another import, or unreadable
   */
  constructor(
    subject: string,
    readonly file = `heddle-import-${createHash('sha256').update(subject).digest('hex').slice(0, 12)}.json`,
  ) {
    const found = read(file)
    if (found !== undefined && found.import !== subject)
      throw new CommandError(
        `${file} belongs to another import (${found.import}); choose another --checkpoint`,
      )
    this.resumed = found !== undefined
    this.progress = found ?? {
      ...{ import: subject, began: new Date().toISOString(), counts: {}, finished: [], position: undefined },
      ...{ digests: {}, skipped: {}, refused: { count: 0, reasons: [] } },
    }
  }

  /** Writes it, whole or not at all. @throws CommandError */
  save(): void {
    const temporary = `${this.file}.${process.pid}`
    try {
      writeFileSync(temporary, `${JSON.stringify(this.progress)}\n`)
      renameSync(temporary, this.file)
    } catch (error) {
      throw new CommandError(`${unwritable(this.file, error).message}; choose another --checkpoint`)
    }
  }

  /** Counts records that were left out, and keeps the first reasons. @param id of such a record */
  refuse(count: number, reason: string, id?: string): void {
    const { refused } = this.progress
    refused.count += count
    const { reasons } = refused
    if (count === 0 || reasons.length >= MOST_REASONS || reasons.some((one) => one.startsWith(reason))) return
    reasons.push(id === undefined ? reason : `${reason} (such as ${id})`)
  }

  remove(): void {
    rmSync(this.file, { force: true })
  }
}

function read(file: string): Progress | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(`${unreadable(file, error).message}; choose another --checkpoint`)
  }
  try {
    return Progress.parse(JSON.parse(text))
  } catch {
    throw new CommandError(
      `${file} is not a checkpoint of an import; remove it, or choose another --checkpoint`,
    )
  }
}

/** Runs the stages of an import: reads records, stores them in batches, and notes how far it is after each. */
import { Stages } from '../progress.js'
import { say } from '../subcommand.js'
import type { Checkpoint } from './checkpoint.js'
import type { Remote } from './remote.js'
import { type Piece, Sink } from './sink.js'

/** One record of the source: what it becomes, and where to go on after it. */
export interface Record {
  pieces: readonly Piece[]
  /** as JSON */
  position: unknown
}

export interface Stage {
  /** what is counted: "calls" */
  name: string
  /** how many there are; 0: unknown */
  total(): Promise<number>
  /** which records are without pieces because nothing is made of them: "blank lines" */
  skips?: string
  /** The records from `position` on; undefined: from the beginning. The same again for the same position. */
  read(position: unknown): AsyncIterable<Record>
}

const LONGEST_UNSTORED_MS = 2000

/** Does what is left of `stages`. */
export async function runStages(
  stages: readonly Stage[],
  to: Remote,
  project: string,
  checkpoint: Checkpoint,
): Promise<void> {
  const { progress } = checkpoint
  const sink = new Sink(to, project, checkpoint)
  const bars = new Stages()
  if (checkpoint.resumed) say(`going on from ${checkpoint.file}`)
  try {
    for (const { name, total, skips, read } of stages) {
      if (progress.finished.includes(name)) continue
      const all = await total()
      let count = progress.counts[name] ?? 0
      let skipped = progress.skipped[name] ?? 0
      bars.at(name, count, all)
      let stored = performance.now()
      const store = async (position: unknown) => {
        await sink.flush()
        progress.counts[name] = count
        progress.skipped[name] = skipped
        progress.position = position
        checkpoint.save()
        stored = performance.now()
      }
      for await (const { pieces, position } of read(progress.position)) {
        sink.add(pieces)
        count++
        if (skips !== undefined && pieces.length === 0) skipped++
        // What comes slowly is not asked for twice either.
        if (sink.isFull || performance.now() - stored > LONGEST_UNSTORED_MS) await store(position)
        bars.at(name, count, all)
      }
      progress.finished.push(name)
      await store(undefined)
      bars.at(name, count, Math.max(all, count))
    }
  } finally {
    bars.end()
  }
  checkpoint.remove()
}

/**
 * The interface to training data from outside the request: what a job's creation asks for, and what a source returns.
 */
import type { TrainingDataSource } from '../../contract/training-data.js'
import type { JobKind } from './jobs.js'

/** Reads examples from the tracing interface, with the caller's rights. */
export type TraceLines = (asked: {
  source: TrainingDataSource
  /** `sft`: lines of {messages, tools?}; `dpo`: pairs of answers; `kto`: judged answers; `rl`: trajectory groups */
  kind: JobKind
  /** headers that show who the caller is, so that nothing else is read */
  credentials: Readonly<Record<string, string>>
  signal: AbortSignal
  /** a scorer rewards the answers later; default: no */
  scored?: boolean
  /** called after the last line with a sentence, if rows were left out */
  told: (leftOut: string) => void
}) => AsyncIterable<string>

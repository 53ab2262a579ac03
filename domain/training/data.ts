/**
 * The interface to training data from outside the request: what a job's creation asks for, and what a source returns.
 * Knows no source.
 */
import type { TrainingDataSource } from '../../contract/training-data.js'

/** Reads examples from the tracing interface, with the caller's rights. */
export type TraceLines = (asked: {
  source: TrainingDataSource
  /** `sft`: lines of {messages, tools?}; `rl`: trajectory groups */
  kind: 'sft' | 'rl'
  /** the caller's own header, so that nothing else is read */
  authorization: string
  signal: AbortSignal
  /** called after the last line with a sentence, if rows were left out */
  told: (leftOut: string) => void
}) => AsyncIterable<string>

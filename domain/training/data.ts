/**
 * Where training data comes from that is not in the request itself: what a job's creation asks, and what a source
 * gives. Knows no source.
 */
import type { TrainingDataSource } from '../../contract/training-data.js'

/** Reads examples out of the tracing interface, as the caller himself. */
export type TraceLines = (asked: {
  source: TrainingDataSource
  /** `sft`: lines of {messages, tools?}; `rl`: trajectory groups */
  kind: 'sft' | 'rl'
  /** the caller's own header, so that nothing is read that he may not */
  authorization: string
  signal: AbortSignal
  /** is given a sentence, after the last line, if rows were left out */
  told: (leftOut: string) => void
}) => AsyncIterable<string>

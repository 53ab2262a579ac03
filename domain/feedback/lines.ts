/** Adds feedback to the lines of calls: the interface between call readers and feedback. */

/** Reads the feedback of calls given as lines; the result adds it to these lines, whatever else was added. */
export type FeedbackOfLines = (
  lines: readonly Buffer[],
  project: string,
  signal: AbortSignal,
) => Promise<(lines: readonly Buffer[]) => Buffer[]>

/** What puts feedback into the lines of calls: the word that readers of calls and keepers of feedback share. */

/** Reads the feedback of calls by their lines; what it gives puts it into lines of these calls, whatever else was put there. */
export type FeedbackOfLines = (
  lines: readonly Buffer[],
  project: string,
  signal: AbortSignal,
) => Promise<(lines: readonly Buffer[]) => Buffer[]>

import type { Opening } from './index-region.js'

/** The engine, as the log needs it. */
export type LogTarget = {
  /** Inserts what the file at `path` holds up to its end, as one part. @returns rows written */
  insert(opening: Opening, path: string, rows: number): Promise<number>
  /** True if rows of the file are in the table. */
  holds(opening: Opening, path: string): Promise<boolean>
}

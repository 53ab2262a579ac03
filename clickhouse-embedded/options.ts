/** What the parent tells the child on the first line of its input. For both sides. */

import type { Step } from './log/flush.js'
import type { Logged } from './log/write-log.js'

/** A stream of inserts for the log, where the parent has opened one. */
export const appendsFd = 3

export type ChildOptions = {
  dataDir: string
  username: string
  password: string
  /** TCP port on 127.0.0.1; 0 takes a free one. */
  port: number
  /** Also listen on this unix socket. */
  socketPath?: string
  /** Sessions that may run side by side. */
  sessions: number
  /** What the engine may hold for queries, merges and caches together. */
  maxMemoryBytes: number
  /** Folder for bodies of INSERTs on their way, instead of tmpfs. */
  spoolDir?: string
  /** The parent sends inserts over {@link appendsFd}. */
  appends: boolean
  /** Tables whose inserts are logged. */
  logged: readonly Logged[]
  /** For tests: the process is killed after this step of the log, the first time it is done. */
  dieAfter?: Step
}

/** The one line that the child writes to its output. */
export type ChildReport = { ready: true; port: number; version: string } | { ready: false; error: string }

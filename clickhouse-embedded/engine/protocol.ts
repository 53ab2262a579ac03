/** What the front's thread and a session's thread say to each other. Types only. */

export type Job = {
  /** One statement. Data of an INSERT is never in it: that is in the file it names. */
  sql: string
  /** How the result leaves the engine: by blocks, as one piece, or not at all. */
  mode: 'stream' | 'whole' | 'write'
  /** Output format where the text names none. */
  format: string
  /** Lines that every streamed block repeats at its beginning (names, types). */
  headerLines: number
  settings: [name: string, value: string][]
  params: [name: string, value: string][]
  database: string | undefined
  /** Found again in `system.processes` under `log_comment`, for KILL QUERY. */
  tag: string
  /** State stays for the next job of the same caller. */
  keepState: boolean
}

export type Outcome = {
  resultRows: number
  resultBytes: number
  readRows: number
  readBytes: number
  writtenRows: number
  writtenBytes: number
}

export type ToSession =
  | { type: 'run'; job: Job }
  /** One chunk has left the process. */
  | { type: 'credit' }
  | { type: 'cancel' }
  /** Forget all state; the next job starts on a fresh connection. */
  | { type: 'forget' }

/** What a job gives. */
export type FromJob =
  | { type: 'chunk'; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'end'; outcome: Outcome }
  | { type: 'error'; message: string }

/** `open` is sent once, before any other: the thread has its connection. */
export type FromSession = { type: 'open' } | FromJob

export type SessionSetup = {
  dataDir: string
  /** The engine's start arguments. */
  args: string[]
  /** What every connection starts with, and is reset to. */
  settings: Record<string, string>
}

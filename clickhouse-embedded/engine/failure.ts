/** The engine's errors as ClickHouse's HTTP interface words them. Pure. */

/** An error with ClickHouse's code; `message` is the body that a client reads. */
export class QueryFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** Makes a failure of this front's own, worded like the engine's. */
export function failure(code: number, name: string, reason: string): QueryFailure {
  return new QueryFailure(code, `Code: ${code}. DB::Exception: ${reason}. (${name})`)
}

/**
 * Reads an engine's error text.
 * @param hidden text that must not be seen, with what stands for it (the name of a spool file).
 */
export function engineFailure(error: unknown, hidden?: string): QueryFailure {
  let text = error instanceof Error ? error.message : String(error)
  const start = text.search(/Code: \d+\. DB::/)
  if (start > 0) text = text.slice(start)
  // Errors of a file's reader come wrapped in a second one of the same code.
  const nested = /^(Code: \d+\. DB::Exception: )\1(.*?\([A-Z_0-9]+\)) \(version [^)]*\)/s.exec(text)
  if (nested) text = nested[1]! + nested[2]!
  if (hidden) text = text.replaceAll(hidden, 'the request body')
  const code = /^Code: (\d+)\./.exec(text)
  if (!code) return failure(1002, 'UNKNOWN_EXCEPTION', text || 'the engine gave no reason')
  return new QueryFailure(Number(code[1]), text)
}

/** True for what the engine answers to everything after one of its threads has crashed: only a new process helps. */
export function isFatal({ code, message }: QueryFailure): boolean {
  return (
    code === 236 &&
    message.startsWith('Code: 236. DB::Exception: The server is shutting down due to a fatal error')
  )
}

/** After ClickHouse's own table: what the client has got wrong, and what it may try again. */
const statuses: Record<number, number[]> = {
  // A text or value that can't be read, or doesn't fit.
  400: [
    6, 8, 15, 20, 25, 26, 27, 34, 35, 36, 37, 38, 41, 42, 43, 44, 53, 62, 70, 72, 89, 117, 123, 130, 131, 167,
    168, 223, 321, 354, 374, 376, 386, 427, 441, 456, 457,
  ],
  401: [194],
  // Read only, not allowed, unknown user, wrong password.
  403: [164, 192, 193, 497, 516],
  // Unknown function, identifier, type, engine, table, format, database, setting, order, role.
  404: [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511],
  408: [159],
  411: [381],
  413: [229],
  429: [202],
  501: [48],
  503: [76, 209, 210, 439],
}
const byCode = new Map(
  Object.entries(statuses).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
)

/** The HTTP status that ClickHouse gives for an error's code; 500 where it has no special one. */
export function statusOf(code: number): number {
  return byCode.get(code) ?? 500
}

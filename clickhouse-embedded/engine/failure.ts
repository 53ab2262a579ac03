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

const statuses: Record<number, number[]> = {
  400: [
    6, 20, 26, 27, 35, 36, 38, 41, 42, 43, 44, 53, 62, 70, 72, 117, 130, 131, 354, 374, 386, 427, 441, 456,
    457, 465, 474, 489, 533, 547, 572, 620,
  ],
  403: [164, 192, 193, 497, 516, 732],
  404: [46, 47, 50, 55, 56, 60, 63, 73, 81, 115, 336, 446, 511],
  408: [159],
  411: [381],
  413: [223],
  429: [202],
  501: [48],
  503: [74, 76, 209, 210, 439],
}
const byCode = new Map(
  Object.entries(statuses).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
)

/** The HTTP status that ClickHouse gives for an error's code; 500 where it has no special one. */
export function statusOf(code: number): number {
  return byCode.get(code) ?? 500
}

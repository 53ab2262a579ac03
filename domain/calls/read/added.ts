/** What is added to the lines of calls from other tables: the interface between who reads calls and who reads those. */
import { lineBatches } from '../../../platform/http/line-batches.js'
import { lookup } from '../../../platform/json/fields.js'
import { stringAt } from '../../../platform/json/text.js'

/** Reads what belongs to calls given as lines; the result adds it to these lines, whatever else was added. */
export type AddedToLines = (
  lines: readonly Buffer[],
  project: string,
  signal: AbortSignal,
) => Promise<(lines: readonly Buffer[]) => Buffer[]>

const TAB = 0x09
const COMMA = Buffer.from(',')

/**
 * The JSON of the rows of each call, separated by commas.
 * @param rows lines of a call's id as JSON, a tab, and JSON, which contains neither tabs nor line breaks
 */
export async function byCall(rows: AsyncIterable<Uint8Array>): Promise<Map<string, Buffer[]>> {
  const found = new Map<string, Buffer[]>()
  for await (const lines of lineBatches(rows))
    for (const line of lines) {
      const tab = line.indexOf(TAB)
      const call = JSON.parse(line.toString('utf8', 0, tab)) as string
      const before = found.get(call)
      if (before) before.push(COMMA, line.subarray(tab + 1))
      else found.set(call, [line.subarray(tab + 1)])
    }
  return found
}

/** The id of the call of a line. */
export function callIdOf(line: Buffer): string {
  const slice = lookup(line, { from: 0, to: line.length }, ['id'])
  return (slice && stringAt(line, slice)) ?? ''
}

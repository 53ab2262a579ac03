/** Adds the tokens of completions to lines of calls, as `token_ids`. */

import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { type AddedToLines, byCall, callIdOf } from '../calls/read/added.js'
import { READ_SETTINGS } from '../calls/read/settings.js'
import { tokenLines } from './tokens.js'

/** The tokens of so many calls are read at once: one has those of a whole context. */
const CALLS = 16

export function tokensOfLines(store: Store, limits: Limits): AddedToLines {
  return async (lines, project, signal) => {
    const ids = lines.map(callIdOf)
    const found = new Map<string, Buffer[]>()
    for (let at = 0; at < ids.length; at += CALLS) {
      const statement = tokenLines(project, ids.slice(at, at + CALLS))
      const rows = await store.stream(statement, 'TSVRaw', { limits, signal, settings: READ_SETTINGS })
      for (const [id, tokens] of await byCall(rows)) found.set(id, tokens)
    }
    return (same) => same.map((line, i) => withTokens(line, found.get(ids[i]!)))
  }
}

const BEFORE = Buffer.from(',"token_ids":')
const AFTER = Buffer.from('}')

function withTokens(line: Buffer, tokens: readonly Buffer[] | undefined): Buffer {
  if (!tokens) return line
  return Buffer.concat([line.subarray(0, line.length - 1), BEFORE, ...tokens, AFTER])
}

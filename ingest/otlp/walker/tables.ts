/** What the walker is told once: TypeScript's tables, and the literals of a span's text. */
import { CREDENTIAL_KEY_ENDS, REDACTED } from '../../../domain/calls/credential-keys.js'
import { rootHash } from '../../../domain/calls/json-leaves.js'
import { ATTRIBUTES, COSTS, OPERATION_KINDS, USAGE } from '../../../domain/conventions/table.js'
import { NAMELESS_ERROR } from '../call.js'
import { LITERALS } from '../span-json.js'
import { Arena } from './arena.js'
import type { Instance } from './instance.js'

/** By their names in `assembly/literal.ts`. */
const TEXTS: Readonly<Record<string, string>> = {
  ...LITERALS,
  usage: '{"usage":{',
  namelessUsage: '"usage"',
  redacted: `"${REDACTED}"`,
  namelessError: NAMELESS_ERROR,
  empty: '{}',
}

/** Fills the tables of a new instance. */
export function writeTables({ memory, at }: Instance): void {
  const arena = new Arena(memory, at('SETUP_TEXTS'), at('USER'))
  const slice = (text: string) => arena.slice(Buffer.from(text))
  for (const [name, text] of Object.entries(TEXTS)) {
    new Uint32Array(memory.buffer, at('LITERALS') + at(name) * 8, 2).set(slice(text))
  }
  const ends = [...CREDENTIAL_KEY_ENDS].map((end) => Buffer.from(end))
  const counts = Object.keys(USAGE)
  const names = (all: readonly string[]) => arena.words(all.flatMap((name) => slice(`"${name}":`)))
  const kinds = Object.entries(OPERATION_KINDS)
  const words = [
    ends.length,
    arena.words(ends.flatMap((end) => [end.readUInt32BE(2), end.readUInt16BE(0)])),
    ends.reduce((letters, end) => letters | (1 << (end[5]! & 31)), 0),
    names(counts),
    counts.length,
    ...['input_tokens', 'prompt_tokens', 'output_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
      counts.indexOf(name),
    ),
    names(Object.keys(COSTS)),
    Object.keys(COSTS).length,
    kinds.length,
    arena.words(kinds.flatMap(([operation, kind]) => [...slice(operation), ...slice(kind)])),
    rootHash.inputs,
    rootHash.output,
    Object.keys(ATTRIBUTES).indexOf('model'),
    Object.keys(ATTRIBUTES).indexOf('user_id'),
    counts.indexOf('cache_creation_input_tokens'),
    counts.indexOf('cache_read_input_tokens'),
    Object.keys(ATTRIBUTES).indexOf('response_id'),
  ]
  new Uint32Array(memory.buffer, at('SETUP'), words.length).set(words)
}

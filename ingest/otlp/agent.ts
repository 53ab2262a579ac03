/**
 * The columns that say what a span's agent did, by which spans are listed, grouped and summed. Knows the table of
 * keys by its plan; where a span says nothing, its name may.
 */
import { agentOf, type COLUMN_KEYS, operationOf } from '../../domain/agents/keys.js'
import type { CallBlock } from '../../domain/calls/block.js'
import { FETCH, RECORDED } from '../../domain/conventions/table.js'
import { utf8At } from '../../platform/json/text.js'
import type { AttributeLookup } from './attribute-lookup.js'
import type { AttributePlan } from './attribute-plan.js'
import type { Span } from './span.js'

/** Longer names are cut: they are read whole from the span's text. */
const MAX_TEXT = 512
const MAX_COUNT = 2 ** 32 - 1
/** The letters, small and large, that the operations begin with which names of spans may have. */
const FIRST_LETTERS = new Set([...'cigtrCIGTReE'].map((letter) => letter.charCodeAt(0)))

type Field = keyof typeof COLUMN_KEYS
type Count = Extract<Field, `${string}_tokens`>
type Text = Exclude<Field, Count | 'conversation_id'>

const isCount = (name: Field): name is Count => name.endsWith('_tokens')

export class AgentColumns {
  /** Whether another call made the answer that the span written last tells the usage of. */
  repeats = false

  constructor(
    private readonly block: CallBlock,
    private readonly span: Span,
    private readonly lookup: AttributeLookup,
  ) {}

  /** Sets the columns of the row. @param thread the row's, if it has one */
  write({ agent }: AttributePlan, buf: Buffer, thread: string | undefined): void {
    const { block, span } = this
    block.span_kind.int((span.kind >= 0 && span.kind <= 5 ? span.kind : 0) + 1)
    let isUncached = false
    this.repeats = isRecorded(buf, span)
    for (let i = 0; i < agent.length; i++) {
      const { name, sources } = agent[i]!
      const source = this.lookup.set(sources)
      if (source === undefined) continue
      isUncached ||= source.uncached
      this.#field(name as Field, thread)
    }
    if (isUncached) this.#addCached()
    this.#byName(buf)
  }

  #field(name: Field, thread: string | undefined): void {
    if (name === 'conversation_id') {
      if (thread !== undefined && this.lookup.asText() === thread) this.block.own_conversation.int(1)
    } else if (isCount(name)) {
      this.block[name].int(Math.min(this.lookup.asCount() ?? 0, MAX_COUNT))
    } else this.#text(name)
  }

  /** Adds what was read from and written to the cache to the count of the input. */
  #addCached(): void {
    const {
      input_tokens,
      cache_creation_input_tokens: creation,
      cache_read_input_tokens: read,
      rows,
    } = this.block
    const count = input_tokens.from(rows)
    if (count.length === 0) return
    const sum = count[0]! + (creation.from(rows)[0] ?? 0) + (read.from(rows)[0] ?? 0)
    count[0] = Math.min(sum, MAX_COUNT)
  }

  #text(name: Text): void {
    const { lookup } = this
    const column = this.block[name]
    const text = (lookup.asText() ?? '').slice(0, MAX_TEXT)
    if (name === 'operation_name') this.repeats ||= text === FETCH
    column.text(name === 'provider_name' ? text.toLowerCase() : text)
  }

  #byName(buf: Buffer): void {
    const { block, span } = this
    const { operation_name, agent_name, rows } = block
    if (operation_name.count > rows && agent_name.count > rows) return
    const said = namedIn(buf, span.nameFrom, span.nameTo)
    if (said === undefined) return
    if (operation_name.count === rows) operation_name.text(said.operation)
    if (agent_name.count === rows) agent_name.text(said.agent)
  }
}

const RECORDED_NAME = Buffer.from(RECORDED)

function isRecorded(buf: Buffer, { nameFrom, nameTo }: Span): boolean {
  return nameTo - nameFrom === RECORDED_NAME.length && RECORDED_NAME.compare(buf, nameFrom, nameTo) === 0
}

/** What the span name `[from, to)` says; undefined if it says nothing. */
export function namedIn(
  buf: Buffer,
  from: number,
  to: number,
): { operation: string; agent: string } | undefined {
  if (!FIRST_LETTERS.has(buf[from]!) || from === to) return undefined
  const name = utf8At(buf, from, to)
  return { operation: operationOf(name), agent: agentOf(name).slice(0, MAX_TEXT) }
}

/**
 * Reads the body of a response's request: makes the chat completion request of it, and keeps what the answer repeats.
 * Runs on a thread for a long body. Pure.
 */

import {
  type ResponseCreateRequest,
  type ResponseItem,
  responseCreateRequest,
  SAME_AS_CHAT,
} from '../../contract/responses.js'
import { MOST_VALUES, type ReadChat, readChat } from '../../domain/chat/request.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { ValidationError } from '../../platform/errors/error.js'
import { parseJson, validate } from '../../platform/http/json-body.js'
import { rawFields } from '../../platform/json/fields.js'
import { openReasoning } from '../chat/reasoning-token.js'
import { problems } from '../problem.js'
import { messagesOf } from './items.js'
import { readTools, type ToolName } from './tools.js'

/** What is to be read; plain values. */
export interface ResponseAsked {
  bytes: Uint8Array
  /** tools that only a provider can run are left out, not refused */
  leavesOut: boolean
  /** the keys of reasoning tokens */
  secrets: readonly string[]
  /** the model is to sum up what was sent, instead of answering it */
  compacts?: boolean
  /** names the response, and the items that have no id yet */
  key: string
  /** what the request continues; absent: not looked up yet */
  earlier?: Earlier
}

/** What a request points at in the store. */
export interface Needs {
  previous: string | undefined
  conversation: string | undefined
  /** ids of items */
  references: string[]
}

/** What was found there. */
export interface Earlier {
  /** in front of the request's own */
  items: ResponseItem[]
  referenced: Map<string, ResponseItem>
}

/** What the writer of the answer needs. */
export interface Answering {
  /** JSON of the fields of the answer that repeat the request, without braces */
  repeated: string
  tools: Record<string, ToolName>
  /** reasoning is shown as a summary */
  summary: boolean
  /** reasoning comes with a token that the caller can send back */
  encrypted: boolean
  logprobs: boolean
  tokenIds: boolean
}

export interface ResponseRead {
  /** JSON of the chat completion request */
  chat: Uint8Array
  read: ReadChat
  answering: Answering
  /** types of tools and items that were left out */
  leftOut: string[]
  /** JSON of the items that were sent, each with an id */
  items: string
  store: boolean
  background: boolean
}

/** @returns what has to be looked up first, if that is missing @throws like `readChat`, with the fields of this interface */
export function readResponse(asked: ResponseAsked): ResponseRead | { needs: Needs } {
  const { bytes, leavesOut, secrets, compacts = false, key, earlier } = asked
  const fields = validate(responseCreateRequest, parseJson(bytes, MOST_VALUES) ?? {}, 'body')
  if (fields.prompt)
    throw problems.refused(
      'NO_PROMPTS',
      'There are no stored prompts here; send input and instructions.',
      'prompt',
    )
  const needs = needsOf(fields)
  if (!earlier && needs) return { needs }
  const items = itemsOf(fields)
  const {
    names,
    kept,
    leftOut,
    chat: chatTools,
  } = readTools(fields.tools ?? [], fields.tool_choice, leavesOut)
  const logprobs = fields.include?.includes('message.output_text.logprobs') ?? false
  const foreign = new Set<string>()
  const messages = messagesOf([...(earlier?.items ?? []), ...items], fields.instructions, {
    open: (token) => openReasoning(token, secrets),
    referenced: earlier?.referenced ?? new Map(),
    leftOut: foreign,
  })
  const { effort } = fields.reasoning ?? {}
  const made = {
    messages: compacts ? [...messages, { role: 'user', content: COMPACT }] : messages,
    ...(!compacts && chatTools),
    max_completion_tokens: fields.max_output_tokens,
    response_format: formatOf(fields),
    reasoning_effort: effort && EFFORT[effort],
    ...((logprobs || fields.top_logprobs) && { logprobs: true }),
    ...(fields.truncation === 'auto' && { truncate_prompt_tokens: -1 }),
  }
  const buf = bufferOf(bytes)
  // As they were sent, so that no digit is lost.
  const same = [...(rawFields(buf) ?? [])]
    .filter(([name]) => SAME_AS_CHAT.includes(name) && !(compacts && name === 'stream'))
    .map(([name, { from, to }]) => `,${JSON.stringify(name)}:${buf.toString('utf8', from, to)}`)
  const chat = Buffer.from(`${JSON.stringify(made).slice(0, -1)}${same.join('')}}`)
  return {
    chat,
    read: asOurs(() => readChat(chat)),
    answering: {
      repeated: JSON.stringify(repeatedOf(fields, kept, needs)).slice(1, -1),
      tools: names,
      summary: hasSummary(fields),
      encrypted: fields.include?.includes('reasoning.encrypted_content') ?? false,
      logprobs: logprobs || (fields.top_logprobs ?? 0) > 0,
      tokenIds: fields.return_token_ids ?? false,
    },
    leftOut: [...leftOut, ...foreign],
    items: JSON.stringify(withIds(items, key)),
    store: fields.store ?? true,
    background: fields.background ?? false,
  }
}

/** @throws 400 if the request continues two things */
function needsOf(fields: ResponseCreateRequest): Needs | undefined {
  const { previous_response_id: previous, conversation, input } = fields
  if (previous && conversation)
    throw problems.conflict('Continue a response or a conversation, not both.', 'previous_response_id')
  const references = Array.isArray(input)
    ? input.filter(({ type }) => type === 'item_reference').map(({ id }) => id ?? '')
    : []
  if (!previous && !conversation && references.length === 0) return undefined
  return {
    previous: previous ?? undefined,
    conversation: typeof conversation === 'string' ? conversation : conversation?.id,
    references,
  }
}

/**
 * Items as they are stored and listed: each has a type and an id, and a message's text is a part.
 * @param key names what they are stored with
 */
export function withIds(items: readonly ResponseItem[], key: string): ResponseItem[] {
  return items.map((item, at) => {
    const type = item.type ?? 'message'
    const id = item.id ?? `${type === 'message' ? 'msg' : 'item'}_${key}i${at}`
    if (type !== 'message' || typeof item.content !== 'string') return { ...item, type, id }
    const part = item.role === 'assistant' ? 'output_text' : 'input_text'
    return { ...item, type, id, status: 'completed', content: [{ type: part, text: item.content }] }
  })
}

/** Asks for a summary. */
const COMPACT =
  'Sum up this conversation, so that it can go on from your summary alone: what was asked, decided, done and found, with the names and values that matter, and what is left to do. Write only the summary.'

/** Fields of chat completions, and what they are called here. */
const OURS: Record<string, string> = {
  messages: 'input',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text',
  reasoning_effort: 'reasoning',
}

/** The field of this interface that a chat completion calls `field`. */
export function ourField(field: string): string {
  return OURS[field] ?? field
}

function asOurs<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(
      error.violations.map(({ loc: [body = 'body', field = '', ...rest], ...more }) => ({
        loc: [body, ourField(field), ...rest],
        ...more,
      })),
    )
  }
}

function itemsOf({ input }: ResponseCreateRequest): ResponseItem[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? [])
}

function formatOf({ text }: ResponseCreateRequest) {
  const format = text?.format
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: format.type }
  const { name, description, schema, strict } = format
  return { type: format.type, json_schema: { name, description, schema, strict } }
}

/** The levels of chat completions; undefined: the model's own. */
const EFFORT = {
  ...{ none: undefined, minimal: 'low', low: 'low', medium: 'medium' },
  ...{ high: 'high', xhigh: 'high', max: 'high' },
}

function hasSummary({ reasoning }: ResponseCreateRequest): boolean {
  const asked = reasoning?.summary ?? reasoning?.generate_summary ?? 'none'
  return asked !== 'none'
}

/** The request's part of the answer. */
function repeatedOf(fields: ResponseCreateRequest, tools: readonly object[], needs: Needs | undefined) {
  const { reasoning, text } = fields
  return {
    background: fields.background ?? false,
    conversation: needs?.conversation === undefined ? null : { id: needs.conversation },
    instructions: fields.instructions ?? null,
    max_output_tokens: fields.max_output_tokens ?? null,
    max_tool_calls: fields.max_tool_calls ?? null,
    metadata: fields.metadata ?? {},
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    previous_response_id: needs?.previous ?? null,
    prompt_cache_key: fields.prompt_cache_key ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: fields.safety_identifier ?? null,
    service_tier: 'default',
    store: fields.store ?? true,
    temperature: fields.temperature ?? null,
    text: { ...text, format: text?.format ?? { type: 'text' } },
    tool_choice: fields.tool_choice ?? 'auto',
    tools,
    top_logprobs: fields.top_logprobs ?? 0,
    top_p: fields.top_p ?? null,
    truncation: fields.truncation ?? 'disabled',
    user: fields.user ?? null,
  }
}

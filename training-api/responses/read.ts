/**
 * Reads the body of a response's request: makes the chat completion request of it, and keeps what the answer repeats.
 * Runs on a thread for a long body. Pure.
 */

import {
  FIELDS_NOT_HERE,
  type ResponseCreateRequest,
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
  /** types of tools that were left out */
  leftOut: string[]
}

/** @throws like `readChat`, with the fields of this interface */
export function readResponse({ bytes, leavesOut, secrets }: ResponseAsked): ResponseRead {
  const fields = validate(responseCreateRequest, parseJson(bytes, MOST_VALUES) ?? {}, 'body')
  for (const field of FIELDS_NOT_HERE)
    if (fields[field])
      throw problems.refused(
        'NOT_STORED',
        `Responses aren't stored here: send the whole input, without ${field}.`,
        field,
      )
  const {
    names,
    kept,
    leftOut,
    chat: chatTools,
  } = readTools(fields.tools ?? [], fields.tool_choice, leavesOut)
  const logprobs = fields.include?.includes('message.output_text.logprobs') ?? false
  const messages = messagesOf(itemsOf(fields), fields.instructions, (token) => openReasoning(token, secrets))
  const { effort } = fields.reasoning ?? {}
  const made = {
    messages,
    ...chatTools,
    max_completion_tokens: fields.max_output_tokens,
    response_format: formatOf(fields),
    reasoning_effort: effort && EFFORT[effort],
    ...((logprobs || fields.top_logprobs) && { logprobs: true }),
    ...(fields.truncation === 'auto' && { truncate_prompt_tokens: -1 }),
  }
  const buf = bufferOf(bytes)
  // As they were sent, so that no digit is lost.
  const same = [...(rawFields(buf) ?? [])]
    .filter(([name]) => SAME_AS_CHAT.includes(name))
    .map(([name, { from, to }]) => `,${JSON.stringify(name)}:${buf.toString('utf8', from, to)}`)
  const chat = Buffer.from(`${JSON.stringify(made).slice(0, -1)}${same.join('')}}`)
  return {
    chat,
    read: asOurs(() => readChat(chat)),
    answering: {
      repeated: JSON.stringify(repeatedOf(fields, kept)).slice(1, -1),
      tools: names,
      summary: hasSummary(fields),
      encrypted: fields.include?.includes('reasoning.encrypted_content') ?? false,
      logprobs: logprobs || (fields.top_logprobs ?? 0) > 0,
      tokenIds: fields.return_token_ids ?? false,
    },
    leftOut,
  }
}

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

function itemsOf({ input }: ResponseCreateRequest) {
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
function repeatedOf(fields: ResponseCreateRequest, tools: readonly object[]) {
  const { reasoning, text } = fields
  return {
    background: false,
    instructions: fields.instructions ?? null,
    max_output_tokens: fields.max_output_tokens ?? null,
    max_tool_calls: fields.max_tool_calls ?? null,
    metadata: fields.metadata ?? {},
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: fields.prompt_cache_key ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: fields.safety_identifier ?? null,
    service_tier: 'default',
    store: false,
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

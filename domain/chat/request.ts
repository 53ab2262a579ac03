/**
 * Parses and checks a chat request. Takes the digits of 64-bit numbers, and JSON that is passed to the model unchanged,
 * from the bytes.
 */
import { type ChatCompletionRequest, chatCompletionRequest } from '../../contract/chat.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { errors } from '../../platform/errors/catalog.js'
import { ValidationError } from '../../platform/errors/error.js'
import { parseJson, validate } from '../../platform/http/json-body.js'
import { JsonError } from '../../platform/json/error.js'
import { lookup, rawFields } from '../../platform/json/fields.js'
import { halfPairAt } from '../../platform/json/half-pairs.js'
import type { Slice } from '../../platform/json/scan.js'
import type { ChatImages } from './images.js'
import { problems } from './problem.js'

/** A prompt that no template is applied to. */
export type PlainPrompt = { text: string; addSpecialTokens?: boolean } | { tokenIds: number[] }

export interface ChatRequest {
  fields: ChatCompletionRequest
  /** instead of the messages */
  prompt?: PlainPrompt
  /** what the node gets in place of messages with images */
  images?: ChatImages | undefined
  /** the answer tells the prompt's text */
  promptText?: boolean
  /** tokens are kept beside the call, whether the caller gets them or not */
  keepsTokens?: boolean
  /** int64 as decimal text */
  seed: string | undefined
  truncatePromptTokens: string | undefined
  /** the JSON text of a field as received; undefined: absent or null */
  json(...path: [string, ...string[]]): string | undefined
}

/** A parsed request; it consists of plain values, so a thread can make it. */
export interface ReadChat extends Pick<ChatRequest, 'fields' | 'seed' | 'truncatePromptTokens'> {
  /** the slices of the body's fields */
  top: ReadonlyMap<string, Slice>
}

/** Most JSON values per request: enough for biases over most of a vocabulary, and for any model's messages. */
export const MOST_VALUES = 2 ** 17

const PRINTED_EDGE = 9223372036854776000n
const INT64_MAX = 2n ** 63n - 1n
const INT64_MIN = -(2n ** 63n)

/** @throws `BAD_BODY` (400), ValidationError (422), or a 400 that names the conflicting fields */
export function readChat(bytes: Uint8Array): ReadChat {
  const fields = validate(chatCompletionRequest, parseJson(bytes, MOST_VALUES) ?? {}, 'body')
  const buf = bufferOf(bytes)
  const top = topLevel(buf)
  const digits = (name: 'seed' | 'truncate_prompt_tokens', min: bigint) => {
    const value = fields[name]
    if (value === null || value === undefined) return undefined
    const { from, to } = top.get(name)!
    return int64(name, buf.toString('utf8', from, to), value, min)
  }
  const seed = digits('seed', -PRINTED_EDGE)
  const truncatePromptTokens = digits('truncate_prompt_tokens', -1n)
  checkTogether(fields)
  return { fields, seed, truncatePromptTokens, top }
}

/**
 * The prompts of a field that has one, or a list of them, each as text or tokens.
 * @throws `BAD_PROMPT` (400)
 */
export function plainPrompts(
  given: string | string[] | number[] | number[][],
  field: string,
  addSpecialTokens?: boolean | null,
): PlainPrompt[] {
  const all = typeof given === 'string' || typeof given[0] === 'number' ? [given] : given
  return (all as (string | number[])[]).map((one) => {
    if (typeof one !== 'string') return { tokenIds: one }
    if (halfPairAt(one)) throw problems.refused('BAD_PROMPT', `The ${field} has half a character.`, field)
    return { text: one, ...(typeof addSpecialTokens === 'boolean' && { addSpecialTokens }) }
  })
}

/** Combines a parsed request with its `bytes`. */
export function chatRequest(bytes: Uint8Array, { top, ...read }: ReadChat): ChatRequest {
  const buf = bufferOf(bytes)
  return {
    ...read,
    json(first, ...rest) {
      const whole = top.get(first)
      const slice = whole && (rest.length === 0 ? whole : lookup(buf, whole, rest))
      const found = slice && buf.toString('utf8', slice.from, slice.to)
      return found === 'null' ? undefined : found
    },
  }
}

/** Parses a request in this thread. @throws like {@link readChat} */
export function readChatRequest(bytes: Uint8Array): ChatRequest {
  return chatRequest(bytes, readChat(bytes))
}

function topLevel(buf: Buffer): Map<string, Slice> {
  try {
    return rawFields(buf) ?? new Map()
  } catch (error) {
    if (error instanceof JsonError) throw errors.badBody(error.message)
    throw error
  }
}

/** The 64-bit integer written in `text`. */
function int64(field: string, text: string, value: number, min: bigint): string {
  const whole = /^-?\d{1,40}$/.test(text) ? BigInt(text) : BigInt(value)
  if (whole < min || whole > PRINTED_EDGE) {
    throw new ValidationError([
      { loc: ['body', field], msg: 'Should be a whole number of 64 bits', type: 'too_big' },
    ])
  }
  return String(whole > INT64_MAX ? INT64_MAX : whole < INT64_MIN ? INT64_MIN : whole)
}

/** Checks fields against each other. @throws 400 */
function checkTogether(fields: ChatCompletionRequest): void {
  const { messages, tools, tool_choice: choice } = fields
  if (messages.length === 0) throw problems.noMessages()
  if (fields.continue_final_message && (fields.add_generation_prompt ?? true)) {
    throw problems.conflict(
      'continue_final_message and add_generation_prompt exclude each other, and the latter is true unless you send false.',
      'continue_final_message',
    )
  }
  if ((fields.top_logprobs ?? 0) > 0 && !fields.logprobs)
    throw problems.conflict('top_logprobs needs logprobs to be true.', 'top_logprobs')
  if (fields.stream_options && !fields.stream)
    throw problems.conflict('stream_options needs stream to be true.', 'stream_options')
  if (fields.allowed_token_ids?.length === 0)
    throw problems.conflict('allowed_token_ids must contain a token, or be omitted.', 'allowed_token_ids')
  const most = fields.max_completion_tokens ?? fields.max_tokens
  if (most !== null && most !== undefined && (fields.min_tokens ?? 0) > most)
    throw problems.conflict(
      `min_tokens must not be more than the ${most} of max_completion_tokens.`,
      'min_tokens',
    )
  if (choice !== null && choice !== undefined && choice !== 'none') {
    if (!tools || tools.length === 0)
      throw problems.conflict('tool_choice other than none needs tools.', 'tool_choice')
    if (typeof choice === 'object' && !tools.some((tool) => tool.function.name === choice.function.name)) {
      throw problems.conflict(
        `tool_choice names ${JSON.stringify(choice.function.name)}, which is not among the tools.`,
        'tool_choice',
      )
    }
  }
  checkStructure(fields)
}

const KINDS = ['json', 'regex', 'choice', 'grammar', 'json_object', 'structural_tag'] as const

function checkStructure({
  structured_outputs: structured,
  response_format: format,
}: ChatCompletionRequest): void {
  const kinds = KINDS.filter((kind) => {
    const value = structured?.[kind]
    return value !== null && value !== undefined && value !== false
  })
  const asked = format?.type ?? (format?.json_schema ? 'json_schema' : 'text')
  if (kinds.length + (asked === 'text' ? 0 : 1) > 1) {
    throw problems.conflict(
      `Ask for one kind of structure, not for ${[...kinds, ...(asked === 'text' ? [] : ['response_format'])].join(' and ')}.`,
      'structured_outputs',
    )
  }
  if (asked === 'json_schema' && !format?.json_schema?.schema)
    throw problems.conflict(
      'response_format of type json_schema needs json_schema.schema.',
      'response_format',
    )
}

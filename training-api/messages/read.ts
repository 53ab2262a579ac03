/**
 * Reads a request of the Messages interface as that for a chat completion, which is then checked as any other. Pure, so
 * that a thread can do it.
 */
import {
  MESSAGE_EXTENSIONS,
  type MessageCountRequest,
  type MessageRequest,
  messageCountRequest,
  messageRequest,
} from '../../contract/messages.js'
import { MOST_VALUES, type ReadChat, readChat } from '../../domain/chat/request.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { parseJson, validate } from '../../platform/http/json-body.js'
import { eachElement, lookup, rawFields } from '../../platform/json/fields.js'
import { objectText } from '../../platform/json/members.js'
import { Notes, type Slice, scanValue } from '../../platform/json/scan.js'
import { openReasoning } from '../chat/reasoning-token.js'
import { Conversation } from './conversation.js'
import { noThreads, refusing } from './problem.js'
import { toolsOf, unsupported } from './tools.js'

export interface MessageAsked {
  bytes: Uint8Array
  /** only the tokens are to be counted */
  counts: boolean
  /** that signed reasoning */
  secrets: readonly string[]
}

/** What the answer depends on. */
export interface Answering {
  maxTokens: number
  stopSequences: readonly string[]
  /** none: the answer has no thinking; omitted: only its signature */
  thinking: 'none' | 'shown' | 'omitted'
  logprobs: boolean
  tokenIds: boolean
}

export interface MessageRead {
  /** JSON of the request for a chat completion */
  chat: Uint8Array
  read: ReadChat
  answering: Answering
  /** types of blocks that were left out */
  leftOut: string[]
}

/** @throws 400 for what the interface doesn't take, or the models served here can't do; 413 for too many values */
export function readMessage({ bytes, counts, secrets }: MessageAsked): MessageRead {
  return refusing(() => {
    const body = parseJson(bytes, MOST_VALUES) ?? {}
    const whole = counts ? undefined : validate(messageRequest, body, 'body')
    const asked: MessageCountRequest = whole ?? validate(messageCountRequest, body, 'body')
    const own: Partial<MessageRequest> = whole ?? {}
    if (asked.mcp_servers?.length) throw unsupported(['mcp_servers'])
    if (asked.thread) throw noThreads()
    const buf = bufferOf(bytes)
    const top = rawFields(buf) ?? new Map<string, Slice>()
    const conversation = new Conversation(asked, {
      inputText: inputTexts(buf, top.get('messages')),
      open: (signature) => openReasoning(signature, secrets),
    })
    const fields = {
      model: asked.model,
      messages: conversation.messages,
      ...toolsOf(
        [...(asked.tools ?? []), ...conversation.toolsAdded],
        asked.tool_choice,
        conversation.toolChanges,
      ),
      ...(conversation.isPrefilled && { add_generation_prompt: false, continue_final_message: true }),
      ...samplingOf(own),
      chat_template_kwargs: thinkingOf(asked, own),
      response_format: formatOf(asked),
    }
    // As they were sent, so that no digit is lost.
    const same = MESSAGE_EXTENSIONS.flatMap((name): [string, string][] => {
      const slice = counts || name in fields ? undefined : top.get(name)
      return slice ? [[name, buf.toString('utf8', slice.from, slice.to)]] : []
    })
    const made = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === null ? [] : [[name, JSON.stringify(value)]],
    )
    const chat = Buffer.from(objectText(new Map([...made, ...same])))
    const answering: Answering = {
      maxTokens: own.max_tokens ?? 1,
      stopSequences: own.stop_sequences ?? [],
      thinking: thinks(asked) ? (asked.thinking?.display === 'omitted' ? 'omitted' : 'shown') : 'none',
      logprobs: own.logprobs ?? false,
      tokenIds: own.return_token_ids ?? false,
    }
    return { chat, read: readChat(chat), answering, leftOut: [...conversation.leftOut] }
  })
}

function samplingOf(asked: Partial<MessageRequest>) {
  return {
    max_completion_tokens: asked.max_tokens ?? 1,
    stop: asked.stop_sequences?.length ? asked.stop_sequences : undefined,
    stream: asked.stream,
    temperature: asked.temperature,
    top_p: asked.top_p,
    top_k: asked.top_k,
    user: asked.metadata?.user_id,
  }
}

function thinks({ thinking }: MessageCountRequest): boolean {
  return thinking !== null && thinking !== undefined && thinking.type !== 'disabled'
}

/**
 * Templates that know these variables use them; others are as they are without. Unless the caller says something, the
 * model does as it does in a chat completion.
 */
function thinkingOf(asked: MessageCountRequest, { chat_template_kwargs: more }: Partial<MessageRequest>) {
  const effort = asked.output_config?.effort
  const variables = {
    ...(asked.thinking && { enable_thinking: thinks(asked) }),
    ...(effort && { reasoning_effort: effort === 'low' || effort === 'medium' ? effort : 'high' }),
    ...more,
  }
  return Object.keys(variables).length > 0 ? variables : undefined
}

function formatOf({ output_config: config, output_format: older }: MessageCountRequest) {
  const { schema } = config?.format ?? older ?? {}
  return schema && { type: 'json_schema', json_schema: { name: 'answer', schema } }
}

/** Finds the text of the input of a tool call: its numbers may have more digits than a double. */
function inputTexts(buf: Buffer, messages: Slice | undefined) {
  const slices = new Map<Slice, Slice[]>()
  const elements = (list: Slice | undefined) => {
    if (!list) return []
    const known = slices.get(list) ?? elementsOf(buf, list)
    slices.set(list, known)
    return known
  }
  const contents = new Map<number, Slice | undefined>()
  return (message: number, block: number): string => {
    const at = elements(messages)[message]
    if (!contents.has(message)) contents.set(message, at && lookup(buf, at, ['content']))
    const slice = elements(contents.get(message))[block]
    const input = slice && lookup(buf, slice, ['input'])
    return input ? buf.toString('utf8', input.from, input.to) : '{}'
  }
}

function elementsOf(buf: Buffer, list: Slice): Slice[] {
  const found: Slice[] = []
  const notes = new Notes()
  eachElement(buf, list.from, notes, (_, from) => {
    const to = scanValue(buf, from, notes)
    found.push({ from, to })
    return to
  })
  return found
}

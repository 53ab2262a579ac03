/**
 * For tests alone: a model that acts as a test says. It is asked with the messages and tools of a chat and says a text,
 * calls tools, or both, so that an agent can be driven through a whole task.
 */
import type { ScriptedCall } from './scripted-call.js'
import { events, type Script } from './scripted-node.js'

/** A message of the chat, as the node gets it. */
export interface AskedMessage {
  role: string
  content?: string | { type: string; text?: string }[] | null
  reasoning?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** What the model is asked. */
export interface Asked {
  messages: AskedMessage[]
  /** names of the tools that it may call */
  tools: string[]
  /** results of its tool calls so far, the newest last */
  results: string[]
}

/** What it answers. */
export interface Said {
  reasoning?: string
  text?: string
  calls?: { name: string; arguments: object }[]
}

/** A node's script: `act` decides each answer. Texts and arguments come in pieces, one token each. */
export function scriptedModel(act: (asked: Asked) => Said): Script {
  let made = 0
  return (call) => {
    const asked = askedOf(call)
    const { reasoning = '', text = '', calls = [] } = act(asked)
    const pieces = [
      ...piecesOf(reasoning).map((reasoning) => ({ reasoning })),
      ...piecesOf(text).map((text) => ({ text })),
      ...calls.flatMap(({ name, arguments: input }, index) => [
        { toolCalls: [{ index, id: `call_${++made}`, name, arguments: '' }] },
        ...piecesOf(JSON.stringify(input)).map((piece) => ({
          toolCalls: [{ index, id: '', name: '', arguments: piece }],
        })),
      ]),
    ]
    const prompt = promptTokens(call)
    call.write(events.started(prompt))
    if (!call.request.countOnly) {
      for (const [i, piece] of pieces.entries()) call.write(events.delta({ ...piece, tokenIds: [i] }))
      call.write(events.delta({ finish: { reason: calls.length > 0 ? 'tool_calls' : 'stop' } }))
    }
    call.write(events.done(call.request.countOnly ? 0 : pieces.length, prompt))
    call.end()
  }
}

/** The text of a message. */
export function textOf({ content }: AskedMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n')
}

function askedOf({ request: { chat } }: ScriptedCall): Asked {
  const messages = JSON.parse(chat?.messagesJson ?? '[]') as AskedMessage[]
  const tools = JSON.parse(chat?.toolsJson || '[]') as { function: { name: string } }[]
  return {
    messages,
    tools: tools.map(({ function: { name } }) => name),
    results: messages.filter(({ role }) => role === 'tool').map(textOf),
  }
}

/** A word of the chat is a token. */
function promptTokens({ request: { chat } }: ScriptedCall): number {
  return (chat?.messagesJson ?? '').split(/\s+/).length
}

/** Of some characters each, as a model's tokens. */
function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,6}/gu) ?? []
}

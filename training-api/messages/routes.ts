/** `POST /v1/messages` and `POST /v1/messages/count_tokens`, bound. */
import { countMessageTokens, createMessage } from '../../contract/messages.js'
import { chatRequest } from '../../domain/chat/request.js'
import type { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { type Bound, type Request, serve } from '../../platform/http/request.js'
import { type ChatParts, complete } from '../chat/complete.js'
import { leftOutHeader } from '../chat/left-out.js'
import { sealReasoning } from '../chat/reasoning-token.js'
import { messageText } from './answer.js'
import { messageProblem } from './problem.js'
import { MessageWriter } from './writer.js'

export interface MessageParts extends ChatParts {
  secrets: SigningSecrets
}

/** In every request that has thinking blocks or wants them. */
const THINKING = 'thinking'

export function messageRoutes(parts: MessageParts): Bound[] {
  const read = async ({ bytes }: Request, counts: boolean) => {
    const thinks = bufferOf(bytes).includes(THINKING)
    // Without the store, thinking is neither signed nor taken back.
    const secrets = thinks ? await parts.secrets.read().catch(() => []) : []
    const found = await parts.threads.run('message', { bytes, counts, secrets }, bytes.length)
    return { ...found, secret: secrets[0] }
  }
  const create = async (request: Request) => {
    const began = performance.now()
    const { chat, read: fields, answering, leftOut, secret } = await read(request, false)
    const sign = (reasoning: string) => (secret === undefined ? '' : sealReasoning(reasoning, secret))
    const form = { answering, sign }
    return complete(parts, request, {
      ...{ interface: 'messages', chat: chatRequest(chat, fields), inputs: chat, began },
      writer: ({ head }) => new MessageWriter(head, form),
      body: (answer) => messageText(answer, form),
      headers: leftOutHeader(leftOut),
    })
  }
  const count = async (request: Request) => {
    const { chat, read: fields } = await read(request, true)
    const { principal, signal } = request
    return { input_tokens: await parts.chat.count({ chat: chatRequest(chat, fields), principal, signal }) }
  }
  const errorBody = messageProblem
  return [serve({ ...createMessage, errorBody }, create), serve({ ...countMessageTokens, errorBody }, count)]
}

/** `POST /v1/chat/completions`, with and without a slash at its end, bound. */

import { createChatCompletion, createChatCompletionSlash } from '../../contract/chat-answer.js'
import { chatRequest } from '../../domain/chat/request.js'
import { type Bound, type Request, serve } from '../../platform/http/request.js'
import { type ChatParts, complete } from './complete.js'

export function chatRoutes(parts: ChatParts): Bound[] {
  const handle = async (request: Request) => {
    const began = performance.now()
    const { bytes } = request
    const chat = chatRequest(bytes, await parts.threads.run('chat', bytes, bytes.length))
    return complete(parts, request, { interface: 'chat', chat, inputs: bytes, began })
  }
  return [serve(createChatCompletion, handle), serve(createChatCompletionSlash, handle)]
}

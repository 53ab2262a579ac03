/** `POST /v1/embeddings`, bound. */
import { createEmbedding } from '../../contract/embeddings.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { type ChatParts, traced } from '../chat/complete.js'
import { embeddingCall } from '../trace/call.js'
import { embeddingJson } from './answer.js'

export function embeddingRoutes(parts: ChatParts): Bound[] {
  return [
    serve(createEmbedding, async (request) => {
      const began = performance.now()
      const { bytes, principal, signal } = request
      const embedding = await parts.threads.run('embedding', bytes, bytes.length)
      const { headers, write } = traced(parts, request)
      const answer = await parts.chat.embed({
        ...{ embedding, principal, signal, began },
        ended: (outcome, target) => {
          parts.metrics.ended(outcome)
          write?.(embeddingCall(outcome, target, { inputs: bytes, began }))
        },
      })
      return new Reply(200, 'application/json', embeddingJson(answer, embedding), headers)
    }),
  ]
}

/** Sums up a conversation by the model, in an item that a later request can begin with. */

import { chatRequest } from '../../domain/chat/request.js'
import type { Reply, Request } from '../../platform/http/request.js'
import { type ChatParts, complete } from '../chat/complete.js'
import { sealReasoning } from '../chat/reasoning-token.js'
import type { ResponseRead } from './read.js'
import { responseUsage } from './writer.js'

/** What is summed up, as it was read; `secret` signs the item. */
export interface Compacted extends Pick<ResponseRead, 'chat' | 'read'> {
  id: string
  secrets: readonly string[]
}

export function compact(
  parts: ChatParts,
  request: Request,
  { id, secrets, chat, read }: Compacted,
): Promise<Reply> {
  return complete(parts, request, {
    ...{ interface: 'responses', chat: chatRequest(chat, read), inputs: chat, began: performance.now() },
    body: ({ choices, created, usage }) => ({
      id,
      object: 'response.compaction',
      created_at: created,
      output: [
        {
          id: id.replace('resp_', 'cmp_'),
          type: 'compaction',
          encrypted_content: sealReasoning(choices[0]?.message.content ?? '', secrets[0]!),
        },
      ],
      usage: responseUsage(usage),
    }),
  })
}

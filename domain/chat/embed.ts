/** Embeddings by our own models: the request, how a node is asked, and the answer collected from its events. Pure. */
import type { ChatUsage } from '../../contract/chat-answer.js'
import { type EmbedInput, embedRequest } from '../../proto/heddle/node/v1/messages.js'
import { usageOf } from './logprobs.js'
import type { PlainPrompt } from './request.js'
import { follow, type Queued } from './run.js'

export interface EmbeddingRequest {
  model: string
  inputs: PlainPrompt[]
  dimensions: number | undefined
  priority: number
}

export interface EmbeddingAnswer {
  /** of each input; 32-bit floats, little-endian */
  vectors: Uint8Array[]
  usage: ChatUsage
}

/** Encodes the request for a node. */
export function embedBytes(
  { inputs, dimensions }: EmbeddingRequest,
  terms: { requestId: string; priority: number; cacheSalt: string },
): Buffer {
  return embedRequest.encode({
    ...terms,
    inputs: inputs.map((input): EmbedInput => ('text' in input ? { text: input } : { tokens: input })),
    ...(dimensions !== undefined && { dimensions }),
  })
}

/** The complete answer. @throws HeddleError */
export async function embedded(run: Queued<EmbeddingAnswer>): Promise<EmbeddingAnswer> {
  const vectors: Uint8Array[] = []
  let prompt = 0
  const answer = () => ({
    vectors,
    usage: usageOf({ promptTokens: prompt, completionTokens: 0, cachedTokens: 0 }),
  })
  for await (const events of follow(run, () => ({ answer: answer() })))
    for (const { started, embedding, done } of events) {
      if (embedding) vectors[embedding.index] = embedding.values
      prompt = done?.usage?.promptTokens ?? started?.promptTokens ?? prompt
    }
  return answer()
}

/** Reads the body of a request for embeddings. Runs on a thread for a long body. Pure. */
import { type EmbeddingFields, embeddingRequest } from '../../contract/embeddings.js'
import type { EmbeddingRequest } from '../../domain/chat/embed.js'
import { plainPrompts } from '../../domain/chat/request.js'
import { parseJson, validate } from '../../platform/http/json-body.js'
import { problems } from '../problem.js'

/** Most JSON values per request: tokens are one each. */
const MOST_VALUES = 2 ** 19

export interface EmbeddingRead extends EmbeddingRequest {
  base64: boolean
}

/** @throws `BAD_BODY`, `EMPTY_INPUT` (400), ValidationError (422) */
export function readEmbedding(bytes: Uint8Array): EmbeddingRead {
  const fields: EmbeddingFields = validate(embeddingRequest, parseJson(bytes, MOST_VALUES) ?? {}, 'body')
  const inputs = plainPrompts(fields.input, 'input')
  for (const [at, input] of inputs.entries())
    if ('text' in input && input.text === '')
      throw problems.refused('EMPTY_INPUT', `The input at ${at} is empty; leave it out.`, 'input')
  return {
    model: fields.model,
    inputs,
    dimensions: fields.dimensions ?? undefined,
    priority: fields.priority ?? 0,
    base64: fields.encoding_format === 'base64',
  }
}

/** Embeddings: the request, its answer and its route. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { asksModel } from './chat.js'
import { component, maybe } from './shared.js'
import { tokenPrompt } from './text-completions.js'

/** Most inputs of a request. */
const MOST_INPUTS = 2048

const list = <Type extends z.ZodType>(type: Type) => z.array(type).min(1).max(MOST_INPUTS)

const request = component('EmbeddingRequest', {
  input: z
    .union(
      [z.string(), list(z.string()), tokenPrompt, list(tokenPrompt)],
      `Should be a text, tokens, or a list of 1 to ${MOST_INPUTS} of either; tokens are whole numbers, and no input is empty`,
    )
    .describe('no template is applied to it'),
  model: z.string().min(1),
  encoding_format: maybe(z.enum(['float', 'base64'])).describe(
    'default: float; base64: of 32-bit floats, little-endian',
  ),
  dimensions: maybe(
    z
      .int()
      .min(1)
      .max(2 ** 31 - 1),
  ).describe('shortens the embeddings, if the model was trained for that'),
  user: maybe(z.string()),
  priority: maybe(z.int()).describe('as of a chat completion'),
})
export const embeddingRequest = request
export type EmbeddingFields = z.output<typeof request>

export const createEmbedding = route({
  ...asksModel,
  id: 'create_embedding',
  path: '/v1/embeddings',
  tag: 'embeddings',
  summary: 'Make vectors of texts',
  body: request,
  answer: component('EmbeddingList', {
    object: z.literal('list'),
    data: z.array(
      component('Embedding', {
        object: z.literal('embedding'),
        index: z.int(),
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    ),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
  }),
})

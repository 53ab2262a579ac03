/** Reads the request of a line, by the route that its batch is for. Pure. */
import { type ReadChat, readChat } from '../../domain/chat/request.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { type CompletionRead, readCompletion } from '../completions/read.js'
import { type EmbeddingRead, readEmbedding } from '../embeddings/read.js'
import { problems } from '../problem.js'
import { type ResponseRead, readResponse } from '../responses/read.js'
import { newId } from '../responses/table.js'

/** Plain values, so that a thread can read them. */
export type LineRequest =
  | { kind: 'chat'; read: ReadChat }
  | { kind: 'completion'; read: CompletionRead }
  | { kind: 'embedding'; read: EmbeddingRead }
  | { kind: 'response'; id: string; read: ResponseRead }

/** @param secrets the keys of reasoning tokens @throws what the route would refuse, or what only a batch does */
export function readRequest(endpoint: string, body: Uint8Array, secrets: readonly string[]): LineRequest {
  if (endpoint === '/v1/embeddings') return { kind: 'embedding', read: readEmbedding(body) }
  const request = generating(endpoint, body, secrets)
  if (chatOf(request).fields.stream)
    throw problems.conflict('The answers of a batch are not streamed; omit stream.', 'stream')
  return request
}

type Generating = Exclude<LineRequest, { kind: 'embedding' }>

function generating(endpoint: string, body: Uint8Array, secrets: readonly string[]): Generating {
  if (endpoint === '/v1/chat/completions') return { kind: 'chat', read: readChat(body) }
  if (endpoint === '/v1/completions') return { kind: 'completion', read: readCompletion(body) }
  const id = newId('resp', uuid7())
  const read = readResponse({ bytes: body, leavesOut: false, secrets, key: id.slice('resp_'.length) })
  if ('needs' in read)
    throw problems.refused(
      'STANDS_ALONE',
      'A line of a batch continues nothing that is stored; send the whole conversation as input.',
      read.needs.conversation === undefined ? 'previous_response_id' : 'conversation',
    )
  if (read.background)
    throw problems.conflict(
      'The lines of a batch run in the background anyway; omit background.',
      'background',
    )
  return { kind: 'response', id, read }
}

function chatOf({ kind, read }: Generating): ReadChat {
  return kind === 'chat' ? read : read.read
}

/** The name of the model; empty: the default one. */
export function modelOf(request: LineRequest): string {
  return (request.kind === 'embedding' ? request.read.model : chatOf(request).fields.model) ?? ''
}

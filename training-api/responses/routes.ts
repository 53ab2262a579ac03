/** `POST /v1/responses`, bound. */

import { createResponse } from '../../contract/responses.js'
import { chatRequest } from '../../domain/chat/request.js'
import type { Run } from '../../domain/chat/run.js'
import type { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import type { HeddleError } from '../../platform/errors/error.js'
import { type Bound, type Request, serve } from '../../platform/http/request.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { type ChatParts, complete } from '../chat/complete.js'
import { sealReasoning } from '../chat/reasoning-token.js'
import { problemBody } from '../problem.js'
import { ourField } from './read.js'
import { ResponseWriter } from './writer.js'

export interface ResponseParts extends ChatParts {
  secrets: SigningSecrets
}

/** In every request that has a token of reasoning or wants one. */
const TOKENS = 'encrypted_content'

export function responseRoutes(parts: ResponseParts): Bound[] {
  const handle = async (request: Request) => {
    const began = performance.now()
    const { bytes, headers } = request
    const secrets = bufferOf(bytes).includes(TOKENS) ? await parts.secrets.read() : []
    const asked = { bytes, leavesOut: sendsToolsUnasked(headers), secrets }
    const { chat, read, answering, leftOut } = await parts.threads.run('response', asked, bytes.length)
    let writer: ResponseWriter | undefined
    const writerOf = ({ head }: Run) => {
      writer ??= new ResponseWriter({
        head: { ...head, id: `resp_${uuid7().replaceAll('-', '')}` },
        answering,
        seal: (reasoning) => sealReasoning(reasoning, secrets[0]!),
      })
      return writer
    }
    return complete(parts, request, {
      ...{ interface: 'responses', chat: chatRequest(chat, read), inputs: chat, began },
      writer: writerOf,
      see: (event, run) => void writerOf(run).lines(event),
      body: (_, run) => writerOf(run).whole(),
      headers: leftOut.length > 0 ? { 'x-heddle-tools-left-out': leftOut.map(headerText).join(', ') } : {},
    })
  }
  return [serve({ ...createResponse, errorBody: responseProblem }, handle)]
}

/** Codex sends tools that only its provider runs, whether its user wants them or not. */
function sendsToolsUnasked(headers: ReadonlyMap<string, string>): boolean {
  return (headers.get('originator') ?? '').startsWith('codex')
}

function headerText(text: string): string {
  return text.slice(0, 100).replaceAll(/[^\w.-]/g, '_')
}

/** As the error of a chat completion, with the fields of this interface. */
function responseProblem(error: HeddleError): Record<string, unknown> {
  const body = problemBody(error) as { error: { param: unknown } }
  const { param } = body.error
  return { ...body, error: { ...body.error, param: typeof param === 'string' ? ourField(param) : param } }
}

/**
 * Binds the route that makes images. A request that is sent again under the id of its first try has the first answer:
 * pictures cost money.
 */
import { hash } from 'node:crypto'
import { imageCreate } from '../../contract/images.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { RetriedRequests } from '../../platform/http/retried-requests.js'
import type { Parts } from '../parts.js'
import { ImageMaker, type Made } from './maker.js'

/** Bytes of answers that are remembered: pictures lie in files, so that an answer is some hundreds of bytes. */
const REMEMBERED = 4 * 2 ** 20

export function imageRoutes(parts: Parts): Bound[] {
  const maker = new ImageMaker(parts)
  const retried = new RetriedRequests<Made>(REMEMBERED, ({ response }) => response.length, isMade)
  const create = serve(imageCreate, async ({ body, principal, headers, signal }) => {
    const { project_id: project, inputs } = body
    if (!principal.mayAsk(inputs.model)) throw errors.modelNotAllowed(inputs.model)
    const track = body.track_llm_call !== false
    await parts.register.note([project])
    const retry = headers.get('x-weave-retry-id')
    // Who has an id comes back for the answer when the connection was lost.
    const wanted = retry ? new AbortController().signal : signal
    const request = { project, userId: principal.userId, inputs, track, signal: wanted }
    const asked = JSON.stringify([principal.keyId, principal.userId, project, track, inputs])
    const mark = () => hash('sha256', asked, 'base64')
    const { response, callId } = await retried.once(retry, mark, () => maker.make(request))
    const text = `{"response":${response},"weave_call_id":${JSON.stringify(callId)}}`
    return new Reply(200, 'application/json', text)
  })
  return [create]
}

/** What the provider did not do is answered, but not remembered: the next try asks again. */
const isMade = ({ failed }: Made) => !failed

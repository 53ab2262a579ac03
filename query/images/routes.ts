/** Binds the route that makes images. */
import { imageCreate } from '../../common/contract/images.js'
import { type Bound, Reply, serve } from '../../common/http/request.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import type { Shares } from '../shares.js'
import { ImageMaker, type ImageParts } from './maker.js'

export interface ImageRouteParts extends ImageParts {
  register: ProjectRegister
  /** how many a key may have under way */
  shares: Shares
}

export function imageRoutes({ register, shares, ...parts }: ImageRouteParts): Bound[] {
  const maker = new ImageMaker(parts)
  const create = serve(
    imageCreate,
    async ({ body, principal, signal }) => {
      const { project_id: project, inputs } = body
      const track = body.track_llm_call !== false
      await register.note([project])
      const request = { project, userId: principal.userId, inputs, track, signal }
      const { response, callId } = await maker.make(request)
      const text = `{"response":${response},"weave_call_id":${JSON.stringify(callId)}}`
      return new Reply(200, 'application/json', text)
    },
    shares.admit,
  )
  return [create]
}

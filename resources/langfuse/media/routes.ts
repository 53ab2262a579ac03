import * as declared from '../../../contract/langfuse-media.js'
import { errors } from '../../../platform/errors/catalog.js'
import { originOf } from '../../../platform/http/forwarded.js'
import type { Bound } from '../../../platform/http/request.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { VALID_MS } from '../../files/signed-urls.js'
import type { Parts } from '../../parts.js'
import { serveLangfuse } from '../serve.js'
import { Media } from './media.js'

export function mediaRoutes(parts: Parts): Bound[] {
  const { fileUrls } = parts
  const media = new Media(parts)
  return [
    serveLangfuse(declared.langfuseMediaCreate, async ({ project, body, headers }) => {
      const { traceId, datasetId, datasetItemId } = body
      if (Boolean(traceId) === Boolean(datasetId && datasetItemId))
        throw errors.badRequest('Media belong to a trace (traceId) or to an item (datasetId, datasetItemId).')
      const { id, upload } = await media.announce(project, body)
      if (upload === undefined) return { mediaId: id, uploadUrl: null }
      const path = await fileUrls.path({ ...upload, expires: Date.now() + VALID_MS })
      return { mediaId: id, uploadUrl: `${originOf(headers)}${path}` }
    }),
    serveLangfuse(declared.langfuseMediaUpdate, async ({ project, params, body }) => {
      await media.note(project, params.media_id, body.uploadHttpStatus, body.uploadHttpError ?? '')
      return {}
    }),
    serveLangfuse(declared.langfuseMedia, async ({ project, params, headers }) => {
      const { file, shown } = await media.read(project, params.media_id)
      const expires = Date.now() + VALID_MS
      const path = await fileUrls.path({ ...file, expires })
      return {
        ...shown,
        ...{ url: `${originOf(headers)}${path}`, urlExpiry: isoOfMicros(expires * 1000) },
      }
    }),
  ]
}

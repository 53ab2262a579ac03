import {
  SOURCE_LIMIT,
  sourceDatasetsQuery,
  sourcesLink,
  sourcesQuery,
  sourcesUnlink,
} from '../../contract/dataset-sources.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { DatasetSources } from './sources.js'

export function datasetSourceRoutes({ store, register }: Parts): Bound[] {
  const sources = new DatasetSources(store)
  return [
    serve(sourcesLink, async ({ body, principal }) => {
      const count = body.links.reduce((sum, link) => sum + link.sources.length, 0)
      if (count > SOURCE_LIMIT) throw errors.tooMany('pairs of a row and a source', SOURCE_LIMIT)
      if (count === 0) return { entries: [] }
      await register.note([body.project_id])
      const linked = await sources.link(body, principal.userId)
      return {
        entries: linked.map(({ link_id, isNew }) => ({
          link_id,
          created: body.include_created_status ? isNew : null,
        })),
      }
    }),
    serve(sourcesUnlink, async ({ body }) => ({
      entries: await sources.unlink(body.project_id, body.link_ids),
    })),
    serve(sourcesQuery, async ({ body }) => ({ links: await sources.list(body) })),
    serve(sourceDatasetsQuery, async ({ body }) => ({
      memberships: await sources.datasetsOf(body),
    })),
  ]
}

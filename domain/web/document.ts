/** `/openapi.json` and `/docs` of an interface, built once from its routes' declarations. */
import { openApiDocument } from '../../contract/openapi.js'
import { docs, openapi } from '../../contract/service.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { applicationPage, webFileRoute } from './pages.js'

/** @param specs of every other route at the same address */
export function documentRoutes(
  specs: readonly RouteSpec[],
  about: Parameters<typeof openApiDocument>[1],
): Bound[] {
  const files = webFileRoute()
  const all = [...specs, openapi, docs, files.spec]
  let text: string | undefined
  const document = serve(openapi, () => {
    text ??= JSON.stringify(openApiDocument(all, about))
    return new Reply(200, 'application/json', text)
  })
  return [document, serve(docs, applicationPage()), files]
}

/** Pages for people: the interface described (OpenAPI and as a page), and the application. Read once. */
import { openApiDocument } from '../../contract/openapi.js'
import { docs, openapi } from '../../contract/service.js'
import { callPage, homePage, projectPage } from '../../contract/web.js'
import { applicationPage, servedPage, webFileRoute } from '../../domain/web/pages.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { RouteSpec } from '../../platform/http/route.js'

const DESCRIPTION = `Traces, objects, feedback and evaluations of LLM programs.

Send an API key with every request: as Bearer token, or as the password of Basic with any user name. Projects
are named entity/project and created by the first write. Times are ISO 8601.`

/**
 * @param specs every declaration that the service answers, of other rooms too
 * @param version of this program
 */
export function docsRoutes(specs: readonly RouteSpec[], version: string): Bound[] {
  const page = applicationPage()
  const files = webFileRoute()
  const all = [...specs, openapi, docs, homePage, projectPage, callPage, files.spec]
  let text: string | undefined
  return [
    serve(openapi, () => {
      text ??= JSON.stringify(openApiDocument(all, { title: 'Heddle', version, description: DESCRIPTION }))
      return new Reply(200, 'application/json', text)
    }),
    serve(docs, servedPage('docs.html')),
    serve(homePage, page),
    serve(projectPage, page),
    serve(callPage, page),
    files,
  ]
}

/** Pages for people: the interface described (OpenAPI and as a page), and the application. Read once. */
import { callPage, homePage, projectPage, sharePage } from '../../contract/web.js'
import { documentRoutes } from '../../domain/web/document.js'
import { applicationPage, unlistedPage } from '../../domain/web/pages.js'
import { type Bound, serve } from '../../platform/http/request.js'
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
  const pages: Bound[] = [
    serve(homePage, page),
    serve(projectPage, page),
    serve(callPage, page),
    serve(sharePage, unlistedPage()),
  ]
  const all = [...specs, ...pages.map(({ spec }) => spec)]
  return [...documentRoutes(all, { title: 'Heddle', version, description: DESCRIPTION }), ...pages]
}

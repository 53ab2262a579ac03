/** `GET /openapi.json` and `/docs` of the training interface, built from its routes' declarations. */
import { openApiDocument } from '../contract/openapi.js'
import { docs, openapi } from '../contract/service.js'
import { servedPage, webFileRoute } from '../domain/web/pages.js'
import { type Bound, Reply, serve } from '../platform/http/request.js'

export function documentRoutes(routes: readonly Bound[], version: string): Bound[] {
  const files = webFileRoute()
  const specs = [...routes.map(({ spec }) => spec), openapi, docs, files.spec]
  let text: string | undefined
  const document = serve(openapi, () => {
    text ??= JSON.stringify(
      openApiDocument(specs, {
        title: 'Heddle, training and chat',
        version,
        description: 'Models, training jobs, and chat completions of base models and checkpoints.',
      }),
    )
    return new Reply(200, 'application/json', text)
  })
  return [document, serve(docs, servedPage('docs.html')), files]
}

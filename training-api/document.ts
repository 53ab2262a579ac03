/** `GET /openapi.json` of the training interface: made of its routes' declarations. */
import { openApiDocument } from '../common/contract/openapi.js'
import { openapi } from '../common/contract/service.js'
import { type Bound, Reply, serve } from '../common/http/request.js'

export function documentRoute(routes: readonly Bound[], version: string): Bound {
  const specs = [...routes.map(({ spec }) => spec), openapi]
  let text: string | undefined
  return serve(openapi, () => {
    text ??= JSON.stringify(
      openApiDocument(specs, {
        title: 'Heddle, training and chat',
        version,
        description: 'Chat completions of base models and of checkpoints trained here.',
      }),
    )
    return new Reply(200, 'application/json', text)
  })
}

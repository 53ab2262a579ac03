import { projectConventions } from '../../contract/project.js'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import { type Bound, serve } from '../../platform/http/request.js'
import type { CallsParts } from '../calls/routes.js'
import { seenIn } from './seen.js'

export function conventionRoutes({ store, limits }: CallsParts): Bound[] {
  return [
    serve(projectConventions, ({ body, signal }) =>
      seenIn(store, body.project_id, { limits, signal, settings: READ_SETTINGS }),
    ),
  ]
}

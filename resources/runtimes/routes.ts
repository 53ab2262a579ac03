import { runtimeApply } from '../../contract/runtimes.js'
import { type Bound, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { applyRuntime, runtimeAnswer } from './apply.js'

export function runtimeRoutes(parts: Parts): Bound[] {
  return [
    serve(runtimeApply, async ({ params: { entity, project, runtime_name: name }, body, principal }) => {
      await applyRuntime(parts, { project: `${entity}/${project}`, userId: principal.userId }, name, body)
      return runtimeAnswer(name, body)
    }),
  ]
}

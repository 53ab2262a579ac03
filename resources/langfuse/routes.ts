/** The routes of Langfuse's SDKs but for those of ingest, bound. */
import * as service from '../../contract/langfuse-service.js'
import { type Bound, serve } from '../../platform/http/request.js'
import type { Health } from '../service/health.js'
import { serveLangfuse } from './serve.js'

export interface LangfuseParts {
  health: Health
  /** of this program */
  version: string
}

export function langfuseRoutes({ health, version }: LangfuseParts): Bound[] {
  return [
    serve(service.langfuseHealth, async () => {
      await health.check()
      return { version, status: 'OK' }
    }),
    serveLangfuse(service.langfuseProjects, ({ project }) => {
      const [entity = '', name = ''] = project.split('/')
      return {
        data: [{ id: project, name, organization: { id: entity, name: entity }, metadata: {} }],
      }
    }),
  ]
}

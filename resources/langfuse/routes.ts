import * as service from '../../contract/langfuse-service.js'
import type { LangfuseScores } from '../../domain/feedback/langfuse-scores.js'
import { type Bound, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import type { Health } from '../service/health.js'
import { commentRoutes } from './comments/routes.js'
import { mediaRoutes } from './media/routes.js'
import { metricsRoutes } from './metrics/routes.js'
import { promptRoutes } from './prompts/routes.js'
import { readRoutes } from './reads/routes.js'
import { scoreConfigRoutes } from './score-configs/routes.js'
import { ScoreReader } from './scores/reader.js'
import { scoreRoutes } from './scores/routes.js'
import { serveLangfuse } from './serve.js'

export interface LangfuseParts extends Parts {
  health: Health
  /** of this program */
  version: string
  scores: LangfuseScores
}

export function langfuseRoutes(parts: LangfuseParts): Bound[] {
  const { health, version, scores } = parts
  const reader = new ScoreReader(parts)
  return [
    ...promptRoutes(parts),
    ...mediaRoutes(parts),
    ...metricsRoutes(parts),
    ...commentRoutes(parts),
    ...scoreConfigRoutes(parts),
    ...scoreRoutes(parts, scores, reader),
    ...readRoutes(parts, reader),
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

import * as declared from '../../contract/service.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { projectAnswer, readAccountQuery, viewer } from './account.js'
import type { Health } from './health.js'

export interface ServiceParts {
  health: Health
  register: ProjectRegister
  /** of this program */
  version: string
}

/** Whether the store can be written to and read from. */
export const healthRoute = (health: Health): Bound =>
  serve(declared.health, async () => {
    await health.check()
    return { status: 'ok' }
  })

export function serviceRoutes({ health, register, version }: ServiceParts): Bound[] {
  return [
    healthRoute(health),
    serve(declared.version, () => ({ version })),
    // No version of an SDK is too old: an SDK that hears otherwise turns itself off.
    serve(declared.serverInfo, () => ({
      min_required_weave_python_version: '0.0.0',
      trace_server_version: version,
    })),
    serve(declared.geolocate, ({ query, remoteAddress }) => ({
      ip: query.ip ?? remoteAddress,
      allowed: true,
      location: null,
    })),
    serve(declared.projectsInfo, ({ body, principal }) => {
      for (const project of body.project_ids) principal.must('read', project)
      return body.project_ids.map((name) => ({
        external_project_id: name,
        internal_project_id: projectIdOf(name),
      }))
    }),
    serve(declared.graphql, async ({ body, principal }) => {
      const asked = readAccountQuery(body)
      if (asked.about === 'viewer') return { data: viewer(principal) }
      principal.must(asked.about === 'upsert' ? 'write' : 'read', asked.project)
      if (principal.may('write', asked.project)) await register.note([asked.project])
      return { data: projectAnswer(asked) }
    }),
  ]
}

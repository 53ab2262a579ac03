import * as declared from '../../contract/labels.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Parts } from '../parts.js'
import { checkLive } from './routes.js'
import { checkAliases, checkTags } from './selection.js'
import type { Version } from './versions.js'

export function labelRoutes({ finder, labels }: Parts): Bound[] {
  const live = async (project: string, object: string, name: string): Promise<Version> => {
    const version = await finder.find(projectIdOf(project), object, name)
    checkLive(version, `${object}:${name}`)
    return version
  }

  return [
    serve(declared.objAddTags, async ({ params, body, principal }) => {
      checkTags(body.tags)
      const version = await live(body.project_id, params.object_id, params.digest)
      await labels.tag(version, body.tags, true, principal.userId)
      return {}
    }),
    serve(declared.objRemoveTags, async ({ params, body, principal }) => {
      checkTags(body.tags)
      const version = await live(body.project_id, params.object_id, params.digest)
      await labels.tag(version, body.tags, false, principal.userId)
      return {}
    }),
    serve(declared.objSetAliases, async ({ params, body, principal }) => {
      checkAliases(body.aliases)
      const version = await live(body.project_id, params.object_id, body.digest)
      await labels.setAliases(version, body.aliases, principal.userId)
      return {}
    }),
    serve(declared.objRemoveAliases, async ({ params, body, principal }) => {
      checkAliases(body.aliases)
      const project = projectIdOf(body.project_id)
      await labels.removeAliases(project, params.object_id, body.aliases, principal.userId)
      return {}
    }),
    serve(declared.tagsList, async ({ query }) => ({
      tags: await labels.allTags(projectIdOf(query.project_id)),
    })),
    serve(declared.aliasesList, async ({ query }) => ({
      aliases: await labels.allAliases(projectIdOf(query.project_id)),
    })),
  ]
}

/**
 * The three account queries that SDKs send to `/graphql` when they start. Their text distinguishes them: this is
 * no GraphQL server. Pure.
 */

import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { isProjectName } from '../../platform/ids/project.js'

export interface AccountQuery {
  query: string
  variables?: Record<string, unknown> | null | undefined
}

/** What is asked: a project to be looked at or made, or who asks. Throws `BAD_REQUEST` (400) for all else. */
export type Asked = { about: 'project' | 'upsert'; project: string } | { about: 'viewer' }

export function readAccountQuery({ query, variables }: AccountQuery): Asked {
  const text = (name: string) => {
    const value = variables?.[name]
    return typeof value === 'string' ? value : ''
  }
  if (/\bupsertModel\b/.test(query)) {
    const entity = text('entity') || text('entityName')
    return { about: 'upsert', project: named(entity, text('name')) }
  }
  if (/\bproject\s*\(/.test(query))
    return { about: 'project', project: named(text('entityName') || text('entity'), text('name')) }
  if (/\bviewer\b/.test(query)) return { about: 'viewer' }
  throw errors.badRequest('Only the queries project, upsertModel and viewer are supported.')
}

function named(entity: string, project: string): string {
  const name = `${entity}/${project}`
  if (entity.includes('/') || !isProjectName(name))
    throw errors.badRequest(
      'The variables name no project: send name and entityName without slashes, and without spaces but between words.',
    )
  return name
}

/** The answer to a query about the caller: the entity is the first that the key has a right over. */
export function viewer(principal: Principal): Record<string, unknown> {
  const scope = principal.grants.find((grant) => grant.scope !== '*')?.scope
  const entity = scope?.split('/')[0] ?? principal.username
  return { viewer: { id: principal.userId, username: principal.username, defaultEntity: { name: entity } } }
}

/** The answer to a query about a project that may be used. */
export function projectAnswer(asked: {
  about: 'project' | 'upsert'
  project: string
}): Record<string, unknown> {
  const [entity, name] = asked.project.split('/')
  const project = { name, entityName: entity, description: null }
  return asked.about === 'project' ? { project } : { upsertModel: { model: project } }
}

/** Checks whether a caller may use a route: as far as possible before the body is read, the rest with the body. */

import { errors } from '../errors/catalog.js'
import { isProjectName } from '../ids/project.js'
import type { Principal } from './principal.js'
import type { Request } from './request.js'
import type { RouteSpec } from './route.js'

/** The fields in which a request may name a project. */
interface Named {
  project_id?: string
  entity?: string
  project?: string
}

/** A request without its body. */
interface Head {
  params: unknown
  query: unknown
  rawParams: Readonly<Record<string, string>>
  headers: ReadonlyMap<string, string>
}

/** Throws `NO_RIGHT` (403) if no body could change that, `BAD_NAME` (400) for an invalid project name. */
export function checkBeforeBody(spec: RouteSpec, principal: Principal, head: Head): void {
  const { access, project } = spec
  if (access === 'public' || project === 'none') return
  if (project === 'path' || project === 'query') {
    principal.must(access, projectOf((project === 'path' ? head.params : head.query) as Named))
    return
  }
  if (project === 'handler') {
    const { entity, project: name } = head.rawParams
    const inHeader = spec.headers && head.headers.get('project_id')
    const named = entity === undefined || name === undefined ? inHeader : `${entity}/${name}`
    if (named !== undefined && isProjectName(named)) {
      principal.must(access, named)
      return
    }
    // A caller that may read nothing gets an empty answer instead.
    if (access === 'read') return
  }
  if (!principal.mayAnywhere(access)) throw errors.noRight(access, 'any project')
}

/** Throws `NO_RIGHT` (403) or `BAD_NAME` (400) for the project named in a body. */
export function checkWithBody(spec: RouteSpec, { body, principal }: Request): void {
  if (spec.access === 'public' || spec.project !== 'body') return
  principal.must(spec.access, projectOf(body as Named))
}

function projectOf({ project_id: id, entity, project }: Named): string {
  const name = id ?? `${entity}/${project}`
  if (!isProjectName(name))
    throw errors.badName(`"${name.slice(0, 300)}" is not a project; write entity/project.`)
  return name
}

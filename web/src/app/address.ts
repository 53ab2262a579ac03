/** The addresses of a project's pages: names and ids are written into them, and read out of them, only here. Pure. */
import type { Obj } from '../api/objects'

/** @param parts below the project, as they are called: a slash within one stays within it */
const projectPath = (project: string, ...parts: readonly string[]): string =>
  `/${[...project.split('/'), ...parts].map(written).join('/')}`

/** Of a screen below /{entity}/{project}/weave. */
export const weavePath = (project: string, ...parts: readonly string[]): string =>
  projectPath(project, 'weave', ...parts)

export const callPath = (project: string, id: string): string => projectPath(project, 'r', 'call', id)

/** Browsers take these parts for steps up or none, also encoded. */
const DOTS = /^~*\.\.?$/

function written(part: string): string {
  if (DOTS.test(part)) return `~${part}`
  return encodeURIComponent(part).replace(/%(?:3A|40|2B|3D)/g, decodeURIComponent)
}

/** @param part decoded, as the router gives it */
export const read = (part: string): string => (DOTS.test(part) ? part.slice(1) : part)

/** The list that the page of one thing belongs to; undefined for a page of none. @param path of its address */
export function listAbove(path: string): string | undefined {
  const [, entity, project, ...parts] = path.split('/')
  const [room, list, ...rest] = parts
  if (room === 'r' && list === 'call') return `/${entity}/${project}/weave/traces`
  return room === 'weave' && rest.length > 0 ? `/${entity}/${project}/weave/${list}` : undefined
}

/** Where an id is the rest of the address. */
const LAST =
  /^((?:\/[^/]+){2}\/(?:weave\/(?:threads|end-users|agents\/(?:named|conversations)|leaderboards|dashboards|queues)|r\/call)\/)(.+)$/

/** The path of an address as it is written here: SDKs leave slashes in ids as they are. */
export const canonical = (path: string): string =>
  path.replace(LAST, (_, before: string, id: string) => before + id.replaceAll('/', '%2F'))

/** As SDKs print it. @param of the version */
export const objectPath = (of: Pick<Obj, 'project_id' | 'kind' | 'object_id' | 'digest'>): string =>
  weavePath(of.project_id, of.kind === 'op' ? 'ops' : 'objects', of.object_id, 'versions', of.digest)

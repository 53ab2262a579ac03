/** Finds every route declared in this folder by scanning it, so new ones need no registration. */
import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RouteSpec } from '../platform/http/route.js'

/** The URL of this module, for threads that import it. */
export const DECLARATIONS = import.meta.url

/** The routes by their ids. */
export async function declaredRoutes(): Promise<Map<string, RouteSpec>> {
  const routes = new Map<string, RouteSpec>()
  const ending = extname(import.meta.filename)
  for (const file of readdirSync(import.meta.dirname)) {
    if (extname(file) !== ending || file.includes('.test.') || file.endsWith('.d.ts')) continue
    const module = (await import(pathToFileURL(`${import.meta.dirname}/${file}`).href)) as object
    for (const one of Object.values(module).flatMap(members)) if (isRoute(one)) routes.set(one.id, one)
  }
  return routes
}

/** The exported value itself, or the members of a plain object, which may group routes. */
function members(value: unknown): unknown[] {
  const isGroup = Object.getPrototypeOf(Object(value)) === Object.prototype && !isRoute(value)
  return isGroup ? Object.values(Object(value)) : [value].flat()
}

function isRoute(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'id' in value
}

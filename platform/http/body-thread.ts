import { workerData } from 'piscina'
import { type Outcome, outcomeOf } from '../threads/outcome.js'
import { type BodyTask, bodyOf } from './body-threads.js'
import type { RouteSpec } from './route.js'

const { declaredRoutes } = (await import(String(workerData))) as {
  declaredRoutes: () => Promise<ReadonlyMap<string, RouteSpec>>
}
const routes = await declaredRoutes()

export default function run({ id, bytes }: BodyTask): Outcome<unknown> {
  const spec = routes.get(id)
  if (!spec) throw new Error(`no route is declared as ${id}`)
  return outcomeOf(() => bodyOf(spec, bytes))
}

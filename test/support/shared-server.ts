/** The server that the files of a run share: it is not stopped, and nobody changes how it runs. */
import { inject } from 'vitest'
import { Endpoint } from './endpoint.js'

/** What makes an {@link Endpoint} of it. */
export type Shared = Pick<Endpoint, 'ports' | 'env'>

/** Returns the server; the first to ask waits until `shared-server-setup.ts` has started it. */
export async function sharedServer(): Promise<Endpoint> {
  const answer = await fetch(inject('sharedServer'))
  if (!answer.ok) throw new Error(await answer.text())
  const { ports, env } = (await answer.json()) as Shared
  return new Endpoint(ports, env)
}

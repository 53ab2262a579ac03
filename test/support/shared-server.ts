/** The servers that the files of a run share: nobody stops them, and nobody changes how they run. */
import { ChatEndpoint } from './chat-server.js'
import { Endpoint } from './endpoint.js'
import { SHARED_SERVERS } from './server.js'

/** What makes an {@link Endpoint} of one. */
export type Shared = Pick<Endpoint, 'ports' | 'env'> & { pid: number }
/** What makes a {@link ChatEndpoint} of one. */
export type SharedChat = Shared & { chatUrl: string }

/** A shared server, of which the processes can be found. */
export class SharedServer extends Endpoint {
  constructor(readonly shared: Shared) {
    super(shared.ports, shared.env)
  }

  /** The id of `heddle up`. */
  get pid(): number {
    return this.shared.pid
  }
}

/** Returns the server; the first to ask waits until `shared-server-setup.ts` has started it. */
export async function sharedServer(): Promise<SharedServer> {
  return new SharedServer(await asked<Shared>('/server'))
}

/** Returns the one that serves and trains the demo model; it may keep secrets and call itself. */
export async function sharedChat(): Promise<ChatEndpoint> {
  const { chatUrl, ...shared } = await asked<SharedChat>('/chat')
  return new ChatEndpoint(new SharedServer(shared), chatUrl, shared.pid)
}

/** Returns the socket of the process that forks for the programs of an environment of Python. */
export function sharedForks(place: string): Promise<string> {
  return asked<string>(`/forks?${place}`)
}

async function asked<T>(which: string): Promise<T> {
  const answer = await fetch(process.env[SHARED_SERVERS] + which)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

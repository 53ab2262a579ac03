/** Checks whether ports are free, and finds free ones. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Why `port` of `host` can't be listened on; undefined: it can. */
export function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error) => done(error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)))
  })
}

/** One sentence about all ports in use; undefined: none. @param ports by their variables */
export async function takenPorts(
  host: string,
  ports: Readonly<Record<string, number>>,
): Promise<string | undefined> {
  const tried = await Promise.all(
    Object.entries(ports).map(async ([variable, port]) => {
      const problem = await tryListen(host, port)
      return problem === undefined ? [] : [{ variable, port, problem }]
    }),
  )
  const taken = tried.flat()
  const [first] = taken
  if (first === undefined) return undefined
  if (taken.length === 1) {
    const why = first.problem.includes('EADDRINUSE') ? 'is taken' : `can't be used (${first.problem})`
    return `port ${first.port} on ${host} ${why}; set ${first.variable} to another port`
  }
  const [numbers, variables] = [taken.map(({ port }) => port), taken.map(({ variable }) => variable)]
  return `ports ${numbers.join(', ')} on ${host} are in use, perhaps by another Heddle: stop it, or set ${variables.join(', ')}`
}

/**
 * A port on loopback that was free a moment ago. Below those that systems give to outgoing connections (32768 and up),
 * or one of these could have it by the time a slow child listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const port = randomInt(20_000, 32_000)
    if ((await tryListen('127.0.0.1', port)) === undefined) return port
  }
  throw new Error('no port between 20000 and 32000 is free')
}

/** Checks whether ports are free. */
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

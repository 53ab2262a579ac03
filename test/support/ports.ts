/** Free loopback ports for processes that take their port as a number. Knows nothing of what listens there. */
import { createServer } from 'node:net'

/** Returns `count` distinct ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold))
  await Promise.all(held.map(({ release }) => release()))
  return held.map(({ port }) => port)
}

function hold(): Promise<{ port: number; release: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') return reject(new Error('no port'))
      resolve({ port: address.port, release: () => new Promise((done) => server.close(() => done())) })
    })
  })
}

/** A stop under load: every request that was taken is answered whole, and later ones are told to come again. */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

const CALLERS = 40

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
}

function post(agent: Agent, path: string, body: unknown): Promise<Answer> {
  const text = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.key}`, 'content-length': Buffer.byteLength(text) }
    const sent = request(server.url + path, { method: 'POST', agent, headers }, (answer) => {
      let got = ''
      answer.on('data', (data: Buffer) => {
        got += data.toString('latin1')
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: got }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

it(`a stop under ${CALLERS} callers cuts nobody off`, { timeout: 120_000 }, async () => {
  const project = freshProject()
  const started_at = '2026-01-01T00:00:00Z'
  const call = {
    project_id: project,
    op_name: 'op',
    started_at,
    attributes: {},
    inputs: { a: 'x'.repeat(20_000) },
  }
  const writes = (n: number): [string, unknown] => [
    '/call/start',
    { start: { ...call, display_name: `${n}` } },
  ]
  const reads = (): [string, unknown] => ['/calls/stream_query', { project_id: project, limit: 1000 }]
  const outcomes: string[] = []
  let answered = 0
  const caller = async (n: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const [path, body] = n % 4 === 0 ? reads() : writes(n)
      try {
        const { status, headers, text } = await post(agent, path, body)
        if (status === 200) {
          answered++
          continue
        }
        const told = [headers.connection, headers['retry-after'] !== undefined, text.includes('STOPPING')]
        outcomes.push(`${status} ${told.join(' ')}`)
      } catch (error) {
        outcomes.push(`${path}: ${(error as NodeJS.ErrnoException).code ?? error}`)
      }
      agent.destroy()
      return
    }
  }
  const callers = Array.from({ length: CALLERS }, (_, n) => caller(n))
  await until('every caller to be answered some', () => answered > CALLERS * 5)
  server.process.kill('SIGTERM')
  await Promise.all(callers)
  // Who comes when it is over is told so by the machine.
  const fair = /^503 close true true$|ECONNREFUSED$/
  expect(outcomes.filter((outcome) => !fair.test(outcome))).toEqual([])
  await until('the server to end', () => server.process.exitCode === 0, 30)
})

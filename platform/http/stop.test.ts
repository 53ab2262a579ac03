import { Agent, request } from 'node:http'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { App } from './app.js'
import { Principal } from './principal.js'
import { Reply, serve } from './request.js'
import { route } from './route.js'

it('a stop answers what was taken, streams too, refuses what comes then, and ends', async () => {
  const open = { tag: 'test', summary: '', access: 'public', project: 'none', answer: z.unknown() } as const
  let taken = 0
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const app = new App(
    [
      serve(route({ ...open, id: 'w', method: 'GET', path: '/whole' }), async () => {
        taken++
        await finished
        return { whole: true }
      }),
      serve(route({ ...open, id: 's', method: 'GET', path: '/stream' }), () => {
        taken++
        async function* chunks() {
          yield Buffer.from('one ')
          await finished
          yield Buffer.from('two')
        }
        return new Reply(200, 'text/plain', chunks())
      }),
      serve(route({ ...open, id: 'q', method: 'GET', path: '/quick' }), () => ({ quick: true })),
    ],
    { heldBytes: 1000, authenticate: () => new Principal('', '', []) },
  )
  const port = await app.listen(0)
  const get = (path: string, agent: Agent) =>
    new Promise<[number | undefined, string | undefined, string]>((resolve, reject) => {
      const sent = request({ port, path, agent }, (answer) => {
        let text = ''
        answer.on('data', (data) => {
          text += data
        })
        answer.on('end', () => resolve([answer.statusCode, answer.headers.connection, text]))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end()
    })
  const keeping = () => new Agent({ keepAlive: true, maxSockets: 1 })
  const [idle, whole, stream] = [keeping(), keeping(), keeping()]
  expect((await get('/quick', idle))[0]).toBe(200)
  const answers = [get('/whole', whole), get('/stream', stream)]
  await expect.poll(() => taken).toBe(2)
  const stopped = app.stop(10_000)
  expect((await get('/quick', idle)).slice(0, 2)).toEqual([503, 'close'])
  finish()
  expect(await Promise.all(answers)).toEqual([
    [200, 'close', '{"whole":true}'],
    [200, undefined, 'one two'],
  ])
  await stopped
  for (const agent of [idle, whole, stream]) agent.destroy()
  await expect(get('/quick', keeping())).rejects.toThrow('ECONNREFUSED')
})

/** A chat completion as spans: from the process it came to, through the queue and a worker, to a call to the model node. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer, capital } from '../support/chat-server.js'
import { Collector } from '../support/collector.js'
import { until } from '../support/until.js'

let collector: Collector
let chat: ChatServer
beforeAll(async () => {
  collector = await Collector.start()
  chat = await ChatServer.start({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' },
  })
})
afterAll(async () => {
  await chat?.dispose()
  await collector?.stop()
})

it('hangs together over three processes', async () => {
  const trace = randomBytes(16).toString('hex')
  const parent = randomBytes(8).toString('hex')
  const headers = { ...chat.authorization, traceparent: `00-${trace}-${parent}-01` }
  const answer = await chat.post({ ...capital, stream: true }, { headers })
  expect(await answer.text()).toContain('[DONE]')
  const named = (part: string) => collector.of(trace).find(({ name }) => name.includes(part))
  await until('every span', async () => ['POST', 'process', 'Generate'].every(named), 30)
  const request = named('POST')
  const job = named('process')
  expect(request).toMatchObject({ service: 'heddle-up', name: 'POST /v1/chat/completions', parent })
  expect(job).toMatchObject({ service: 'heddle-inference-worker', parent: request?.id })
  expect(named('Generate')).toMatchObject({ service: 'heddle-inference-worker', parent: job?.id, kind: 3 })
  expect(JSON.stringify(collector.spans)).not.toContain('France')
})

/**
 * An OpenAI-compatible images endpoint for tests, a process of its own: what it does is told by the model it is asked
 * for. Prints its address; `GET /seen` lists what it was asked.
 */
import { createServer } from 'node:http'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const seen = []

const json = (response, status, value) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const images = (response, data) =>
  json(response, 200, {
    created: 1,
    data,
    usage: { input_tokens: 1000, output_tokens: 2000, total_tokens: 3000 },
  })
const to = (response, location, status = 307) => response.writeHead(status, { location }).end()

/** By model. */
const BEHAVIOUR = {
  inline: ({ n = 1 }, response) =>
    images(
      response,
      Array.from({ length: n }, (_, i) => ({ b64_json: PIXEL, revised_prompt: `number ${i}` })),
    ),
  linked: ({ n = 1 }, response) =>
    images(
      response,
      Array.from({ length: n }, (_, i) => ({ url: `${base}/files/${i}.png` })),
    ),
  moved: (_, response) => to(response, `${base}/files/moved`),
  inward: (_, response) => to(response, `http://127.0.0.2:${port}/v1/images/generations`),
  metadata: (_, response) => to(response, 'http://169.254.169.254/latest/meta-data/', 302),
  'linked-inward': (_, response) => images(response, [{ url: `http://127.0.0.2:${port}/files/0.png` }]),
  'linked-moved': (_, response) => images(response, [{ url: `${base}/files/inward` }]),
  'linked-missing': (_, response) => images(response, [{ url: `${base}/files/none` }]),
  'linked-text': (_, response) => images(response, [{ url: `${base}/files/text` }]),
  400: (_, response) =>
    json(response, 400, { error: { message: 'this prompt is not allowed', code: 'policy' } }),
  401: (_, response, { authorization }) =>
    json(response, 401, { error: { message: `Incorrect key provided: ${authorization}` } }),
  500: (_, response, { authorization }) => response.writeHead(500).end(`Traceback: ${authorization}`),
  echo: (_, response, { authorization }) =>
    images(response, [{ b64_json: PIXEL, revised_prompt: authorization, [authorization]: 1 }]),
  hang: () => undefined,
  half: (_, response) => response.write('{"data":['),
  rubbish: (_, response) => response.end('\0\0<html>'),
  empty: (_, response) => json(response, 200, {}),
  'no-image': (_, response) => images(response, [{ b64_json: Buffer.from('hello').toString('base64') }]),
  endless: (_, response) => {
    const piece = 'x'.repeat(1 << 20)
    const more = () => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', more)
    }
    response.write('{"data":"')
    more()
  },
}

const FILES = {
  moved: (response) => to(response, `${base}/v1/again`),
  inward: (response) => to(response, `http://127.0.0.2:${port}/files/0.png`, 302),
  none: (response) => response.writeHead(404).end(),
  text: (response) => response.end('hello'),
}

const server = createServer(async (request, response) => {
  if (request.url === '/seen') return json(response, 200, seen)
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { authorization = '' } = request.headers
  seen.push({ path: request.url, authorization })
  const file = request.url.split('/files/')[1]
  if (request.url === '/v1/again') return images(response, [{ b64_json: PIXEL }])
  if (file !== undefined && FILES[file]) return FILES[file](response)
  if (file !== undefined) return response.end(Buffer.from(PIXEL, 'base64'))
  const body = JSON.parse(Buffer.concat(chunks).toString())
  BEHAVIOUR[body.model](body, response, { authorization })
})
let port = 0
let base = ''
server.listen(0, '127.0.0.1', () => {
  port = server.address().port
  base = `http://127.0.0.1:${port}`
  process.stdout.write(`${base}\n`)
})

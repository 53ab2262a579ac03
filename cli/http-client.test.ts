/** What commands say of a server's refusals: sentences for people, without the words of HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { post } from './http-client.js'

let server: Server
let url = ''
beforeAll(async () => {
  // Answers with the status in the path and the body that it was sent.
  server = createServer(async (request, response) => {
    const { text } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { text: string }
    response.writeHead(Number(request.url?.slice(1))).end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const detail = [{ loc: ['body', 'limit'], msg: 'Should be a number', type: 'x' }]
it.each([
  [400, '{"reason":"A limit must be 1 or more."}', 'A limit must be 1 or more.'],
  [400, '{"error":{"message":"No such model."}}', 'No such model.'],
  [401, '{"reason":"Unknown key."}', 'URL does not accept the API key; check --key'],
  [
    404,
    '{"reason":"Unknown route: POST /404","code":"NO_ROUTE"}',
    'URL has no /404; is it the address of Heddle?',
  ],
  [404, '<html>nothing here</html>', 'URL has no /404; is it the address of Heddle?'],
  [404, 'Project not found', 'Project not found'],
  [
    404,
    '{"error":{"message":"Unknown route: POST /404","reason":"NO_ROUTE"}}',
    'URL has no /404; is it the address of Heddle?',
  ],
  [
    404,
    '{"error":{"message":"Training job \\"x\\" not found; GET /v1/preview/training-jobs lists them."}}',
    'Training job "x" not found; `heddle jobs list` lists them.',
  ],
  [422, JSON.stringify({ detail }), '--limit: Should be a number'],
  [505, '<h1>HTTP Version Not Supported</h1>', 'set `proxy_http_version 1.1` in nginx'],
  [502, '<html>Bad Gateway</html>', "Heddle at URL can't answer now; look at its log"],
])('%d %s', async (status, text, sentence) => {
  const asked = post({ url, key: 'k' }, `/${status}`, { text })
  await expect(asked).rejects.toMatchObject({
    message: expect.stringContaining(sentence.replace('URL', url)),
    answered: status,
  })
})

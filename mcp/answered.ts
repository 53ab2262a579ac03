/** Answers one request of the protocol, of any of its versions, without anything kept between requests. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Api } from '../platform/http/api.js'
import { mcpServer } from './server.js'

/** Lists don't change, so nobody needs to wait for it. */
const OPTIONS = { maxSubscriptions: 0, responseMode: 'json' } as const

export function answered(
  request: Request,
  body: unknown,
  api: Api,
  mayWrite: boolean,
  version: string,
): Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(api, mayWrite, version), OPTIONS)
  return handler.fetch(request, { parsedBody: body })
}

/** Serves tools on standard input and output: the same tools as the route, over the server's own routes. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readSession } from '../../contract/session.js'
import { mcpServer } from '../../mcp/server.js'
import { Api } from '../../platform/http/api.js'
import type { Target } from '../http-client.js'
import { version } from '../version.js'

/** Resolves when the agent closes standard input. */
export async function serveTools({ url, key }: Target): Promise<void> {
  const api = new Api(url, { authorization: `Bearer ${key}` })
  const { grants } = await api.call(readSession)
  const mayWrite = grants.some(({ right }) => right !== 'read')
  const ended = new Promise((resolve) => process.stdin.once('close', resolve))
  serveStdio(() => mcpServer(api, mayWrite, version()), { maxSubscriptions: 0 })
  await ended
}

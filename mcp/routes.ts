/** The route of the Model Context Protocol, bound: an adapter between our requests and the library's. */
import { mcp } from '../contract/mcp.js'
import { credentialsIn } from '../domain/auth/session-cookie.js'
import { HeddleError } from '../platform/errors/error.js'
import { Api } from '../platform/http/api.js'
import type { Origins } from '../platform/http/cors.js'
import { type Bound, Reply, serve } from '../platform/http/request.js'

export interface McpOptions {
  /** where this process serves the routes that tools call; read when it is needed */
  url: () => string
  /** whose pages may call, beside those of this machine */
  origins?: Origins | undefined
  version: string
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
/** What the library reads of the caller's headers. */
const READ_HEADERS = /^mcp-/
/** It insists on both types; all answers are JSON. */
const TYPES = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

export function mcpRoutes({ url, origins = [], version }: McpOptions): Bound[] {
  return [
    serve(mcp, async ({ body, headers, principal, signal }) => {
      checkOrigin(headers.get('origin'), origins)
      // Not loaded where nobody asks.
      const { answered } = await import('./answered.js')
      const sent = new Request(`http://heddle${mcp.path}`, {
        method: mcp.method,
        headers: {
          ...Object.fromEntries([...headers].filter(([name]) => READ_HEADERS.test(name))),
          ...TYPES,
        },
        signal,
      })
      const api = new Api(url(), credentialsIn(headers), signal)
      return replied(await answered(sent, body, api, principal.mayAnywhere('write'), version))
    }),
  ]
}

/**
 * A page that a browser was led to under another name of this machine would be such an origin.
 * @throws `BAD_ORIGIN` for pages that may not call
 */
function checkOrigin(origin: string | undefined, allowed: Origins): void {
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return
  if (URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname)) return
  throw new HeddleError(
    'BAD_ORIGIN',
    403,
    'Pages of this origin may not call tools; add it to HEDDLE_CORS_ORIGINS.',
  )
}

/** What the library answered, as JSON: one message, which older versions of the protocol would wrap in a stream of events. */
async function replied(answer: Response): Promise<Reply> {
  const text = await answer.text()
  const message = /^data: (\{.*)$/m.exec(text)?.[1] ?? text
  if (answer.ok) return new Reply(answer.status, message === '' ? '' : 'application/json', message)
  const { error, ...rest } = JSON.parse(message) as { error: { message: string } }
  return Reply.json({ ...rest, error, reason: error.message, code: 'MCP_REFUSED' }, answer.status)
}

import { z } from 'zod'
import { ValidationError } from '../platform/errors/error.js'
import { type ErrorBody, route } from '../platform/http/route.js'
import { openComponent } from './shared.js'

/** Codes of JSON-RPC: a request that is none, and any other refusal. */
const INVALID_REQUEST = -32600
const SERVER_ERROR = -32000

/** An error answer that clients of this protocol and all others can read. */
const errorBody: ErrorBody = (error) => ({
  ...error.body(),
  jsonrpc: '2.0',
  id: null,
  error: {
    code: error instanceof ValidationError ? INVALID_REQUEST : SERVER_ERROR,
    message: error.reason,
    data: { code: error.code },
  },
})

const id = z.union([z.string().max(1000), z.number()])

export const mcp = route({
  id: 'mcp',
  method: 'POST',
  path: '/mcp',
  tag: 'Agents',
  summary: 'Call tools by the Model Context Protocol (Streamable HTTP)',
  access: 'read',
  project: 'none',
  unlimited: 'the routes that its tools call count',
  maxBytes: 2 ** 20,
  // The library checks each of them several times.
  maxValues: 2 ** 14,
  body: openComponent('McpMessage', {
    jsonrpc: z.literal('2.0'),
    id: id.optional(),
    method: z.string().max(1000).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  answer: openComponent('McpAnswer', { jsonrpc: z.literal('2.0') }),
  errorBody,
})

/** The operation that agents call tools on, by the Model Context Protocol. */
import { expect } from 'vitest'
import { stored } from './calls.js'
import { operation } from './operation.js'

export const tools = [
  operation('POST', '/mcp', 'key', async (world) => {
    const { id } = await stored(world)
    const params = { name: 'read_call', arguments: { project: world.project, call_id: id } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const headers = { 'mcp-protocol-version': '2025-11-25' }
    return {
      valid: { body, headers },
      effect: ({ text }) => expect(text).toContain(world.secret),
      invalid: [
        {
          why: 'another JSON-RPC',
          body: { ...body, jsonrpc: '1.0' },
          headers,
          status: 422,
          at: 'body.jsonrpc',
        },
        {
          why: 'a page of a stranger',
          body,
          headers: { ...headers, origin: 'http://evil.test' },
          status: 403,
        },
      ],
    }
  }),
]

/** The routes that take OpenTelemetry exports. */
import { expect } from 'vitest'
import { hex } from '../../support/ids.js'
import { exportRequest } from '../../support/otlp.js'
import { operation } from './operation.js'

/** A path that takes spans. */
const exportTo = (path: string) =>
  operation('POST', path, 'write', ({ api, project, secret }) => {
    const spanId = hex(8)
    const body = exportRequest({ spans: [{ traceId: hex(16), spanId, name: secret }] })
    const times = { startTimeUnixNano: '1780315200000000000', endTimeUnixNano: '1780315201000000000' }
    const span = { traceId: hex(16), spanId: hex(8), name: secret, kind: 1, ...times }
    const headers = { 'content-type': 'application/x-protobuf', project_id: project }
    return {
      valid: { body, headers },
      described: { type: 'application/json', body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] } },
      effect: async ({ bytes }) => {
        expect(bytes.length).toBe(0)
        const [call] = await api.calls(project)
        expect(call).toMatchObject({ id: spanId, op_name: expect.stringContaining(secret) })
      },
      invalid: [
        { why: 'cut off', body: body.subarray(0, body.length - 9), headers, status: 400 },
        { why: 'no project', body, headers: { 'content-type': 'application/x-protobuf' }, status: 400 },
        {
          why: 'not spans',
          body: Buffer.from('<a/>'),
          headers: { ...headers, 'content-type': 'text/xml' },
          status: 415,
        },
      ],
    }
  })

export const spans = [exportTo('/otel/v1/traces')]

/** Beyond the contract's list: what exporters make of other addresses. */
export const doors = [exportTo('/v1/traces'), exportTo('/api/public/otel/v1/traces')]

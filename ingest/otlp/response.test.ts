import { describe, expect, it } from 'vitest'
import { exportResponse } from './response.js'
import { root } from './testing/messages.js'

const Response = root.lookupType('heddle.otlp.v1.ExportTraceServiceResponse')

describe('the answer to an export', () => {
  it('is empty when everything was taken', () => {
    expect(exportResponse('protobuf', 0, []).length).toBe(0)
    expect(Buffer.from(exportResponse('json', 0, [])).toString()).toBe('{}')
  })

  it('says how many spans were rejected, and why', () => {
    const answer = exportResponse('protobuf', 300, ['span a: bad', 'span b: worse'])
    expect(Response.toObject(Response.decode(answer), { longs: Number })).toEqual({
      partialSuccess: { rejectedSpans: 300, errorMessage: 'span a: bad; span b: worse' },
    })
    expect(JSON.parse(Buffer.from(exportResponse('json', 2, ['x'])).toString())).toEqual({
      partialSuccess: { rejectedSpans: '2', errorMessage: 'x' },
    })
  })
})

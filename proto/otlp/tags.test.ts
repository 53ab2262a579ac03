import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'
import { describe, expect, it } from 'vitest'
import * as module from './tags.js'

const source = readFileSync(new URL('./trace.proto', import.meta.url), 'utf8')
const root = protobuf.parse(source).root.resolveAll()
const tags = new Map<string, object>(Object.entries(module))
const WIRE: Record<string, number> = {
  uint32: 0,
  int32: 0,
  int64: 0,
  bool: 0,
  fixed64: 1,
  double: 1,
  fixed32: 5,
}

describe('tags', () => {
  it.each([
    ['REQUEST', 'ExportTraceServiceRequest'],
    ['RESPONSE', 'ExportTraceServiceResponse'],
    ['PARTIAL_SUCCESS', 'ExportTracePartialSuccess'],
    ['RESOURCE_SPANS', 'ResourceSpans'],
    ['RESOURCE', 'Resource'],
    ['SCOPE_SPANS', 'ScopeSpans'],
    ['SCOPE', 'InstrumentationScope'],
    ['SPAN', 'Span'],
    ['EVENT', 'Event'],
    ['LINK', 'Link'],
    ['LOG_RECORD', 'LogRecord'],
    ['STATUS', 'Status'],
    ['KEY_VALUE', 'KeyValue'],
    ['ANY_VALUE', 'AnyValue'],
    ['ARRAY', 'ArrayValue'],
    ['KEY_VALUE_LIST', 'KeyValueList'],
  ] as const)('%s are those of %s', (table, message) => {
    const { fieldsArray } = root.lookupType(`heddle.otlp.v1.${message}`)
    const expected = fieldsArray.map((field) => {
      const wire = field.resolvedType instanceof protobuf.Enum ? 0 : (WIRE[field.type] ?? 2)
      return [field.name, field.id * 8 + wire]
    })
    expect(tags.get(table)).toEqual(Object.fromEntries(expected))
  })

  it.each([
    ['ExportLogsServiceRequest', 'ExportTraceServiceRequest'],
    ['ExportLogsServiceResponse', 'ExportTraceServiceResponse'],
    ['ExportLogsPartialSuccess', 'ExportTracePartialSuccess'],
    ['ResourceLogs', 'ResourceSpans'],
    ['ScopeLogs', 'ScopeSpans'],
  ])('%s has the numbers of %s', (logs, traces) => {
    const numbersOf = (message: string) =>
      root.lookupType(`heddle.otlp.v1.${message}`).fieldsArray.map(({ id, repeated }) => [id, repeated])
    expect(numbersOf(logs)).toEqual(numbersOf(traces))
  })
})

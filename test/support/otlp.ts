/**
 * OTLP trace export requests written by hand, field by field, so tests can also write ones no exporter would.
 * Field numbers are the published protocol's. It shares nothing with the server's decoder but the wire library.
 */
import { Writer } from 'protobufjs/minimal.js'

export type Value =
  | string
  | boolean
  | number
  | bigint
  | Uint8Array
  | Value[]
  | { [key: string]: Value }
  | null

export interface SpanInput {
  /** 32 hex digits, or any bytes. */
  traceId: string | Uint8Array
  /** 16 hex digits, or any bytes. */
  spanId: string | Uint8Array
  parentId?: string
  name?: string
  kind?: number
  /** Nanoseconds since the epoch. */
  start?: bigint
  end?: bigint
  attributes?: Record<string, Value> | [string, Value][]
  events?: { name: string; time?: bigint; attributes?: Record<string, Value> }[]
  links?: { traceId: string; spanId: string }[]
  dropped?: { attributes?: number; events?: number; links?: number }
  status?: { code?: number; message?: string }
}

export interface ResourceInput {
  attributes?: Record<string, Value>
  scope?: { name?: string; version?: string }
  spans: SpanInput[]
}

/** The bytes of an ExportTraceServiceRequest. */
export function exportRequest(...resources: ResourceInput[]): Uint8Array {
  const writer = Writer.create()
  for (const resource of resources) {
    writer.uint32(10).fork()
    writer.uint32(10).fork()
    attributes(writer, 1, resource.attributes ?? {})
    writer.ldelim()
    writer.uint32(18).fork()
    writer.uint32(10).fork()
    if (resource.scope?.name !== undefined) writer.uint32(10).string(resource.scope.name)
    if (resource.scope?.version !== undefined) writer.uint32(18).string(resource.scope.version)
    writer.ldelim()
    for (const item of resource.spans) span(writer.uint32(18).fork(), item).ldelim()
    writer.ldelim()
    writer.ldelim()
  }
  return writer.finish()
}

/** Resource attributes that name a project: the documented way. */
export function inProject(project: string): Record<string, string> {
  const [entity = '', name = ''] = project.split('/')
  return { 'wandb.entity': entity, 'wandb.project': name }
}

const EPOCH = 1_780_000_000_000_000_000n

function span(writer: Writer, input: SpanInput): Writer {
  writer.uint32(10).bytes(bytes(input.traceId))
  writer.uint32(18).bytes(bytes(input.spanId))
  if (input.parentId !== undefined) writer.uint32(34).bytes(bytes(input.parentId))
  writer.uint32(42).string(input.name ?? 'span')
  writer.uint32(48).int32(input.kind ?? 1)
  fixed64(writer.uint32(57), input.start ?? EPOCH)
  fixed64(writer.uint32(65), input.end ?? (input.start ?? EPOCH) + 5_000_000n)
  attributes(writer, 9, input.attributes ?? {})
  for (const event of input.events ?? []) {
    writer.uint32(90).fork()
    fixed64(writer.uint32(9), event.time ?? EPOCH)
    writer.uint32(18).string(event.name)
    attributes(writer, 3, event.attributes ?? {})
    writer.ldelim()
  }
  for (const link of input.links ?? [])
    writer
      .uint32(106)
      .fork()
      .uint32(10)
      .bytes(bytes(link.traceId))
      .uint32(18)
      .bytes(bytes(link.spanId))
      .ldelim()
  for (const [tag, count] of [
    [80, input.dropped?.attributes],
    [96, input.dropped?.events],
    [112, input.dropped?.links],
  ] as const)
    if (count !== undefined) writer.uint32(tag).uint32(count)
  if (input.status !== undefined) {
    writer.uint32(122).fork()
    if (input.status.message !== undefined) writer.uint32(18).string(input.status.message)
    writer
      .uint32(24)
      .int32(input.status.code ?? 0)
      .ldelim()
  }
  return writer
}

function attributes(writer: Writer, field: number, input: Record<string, Value> | [string, Value][]): void {
  for (const [key, item] of Array.isArray(input) ? input : Object.entries(input)) {
    writer.uint32((field << 3) | 2).fork()
    writer.uint32(10).string(key)
    value(writer.uint32(18).fork(), item).ldelim()
    writer.ldelim()
  }
}

function value(writer: Writer, input: Value): Writer {
  if (input === null) return writer
  if (typeof input === 'string') return writer.uint32(10).string(input)
  if (typeof input === 'boolean') return writer.uint32(16).bool(input)
  if (typeof input === 'bigint') return writer.uint32(24).int64(input.toString())
  if (typeof input === 'number')
    return Number.isInteger(input) ? writer.uint32(24).int64(input) : writer.uint32(33).double(input)
  if (input instanceof Uint8Array) return writer.uint32(58).bytes(input)
  if (Array.isArray(input)) {
    writer.uint32(42).fork()
    for (const item of input) value(writer.uint32(10).fork(), item).ldelim()
    return writer.ldelim()
  }
  writer.uint32(50).fork()
  attributes(writer, 1, input)
  return writer.ldelim()
}

function fixed64(writer: Writer, input: bigint): void {
  writer.fixed64(input.toString())
}

function bytes(input: string | Uint8Array): Uint8Array {
  return typeof input === 'string' ? Buffer.from(input, 'hex') : input
}

/** A collector of OpenTelemetry spans: takes what exporters post, reads it by the protocol, and keeps it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import { root } from './root.js'

export interface Collected {
  service: string
  name: string
  trace: string
  id: string
  /** empty: it has no parent */
  parent: string
  /** 2: server, 3: client, 5: consumer */
  kind: number
  attributes: Record<string, string | number>
}

interface Wire {
  resourceSpans: {
    resource: { attributes: Pair[] }
    scopeSpans: { spans: WireSpan[] }[]
  }[]
}
interface Pair {
  key: string
  value: { stringValue?: string; intValue?: string; doubleValue?: number }
}
interface WireSpan {
  name: string
  traceId: Buffer
  spanId: Buffer
  parentSpanId?: Buffer
  kind: number
  attributes?: Pair[]
}

const requests = protobuf
  .loadSync(join(root, 'proto/otlp/trace.proto'))
  .lookupType('heddle.otlp.v1.ExportTraceServiceRequest')

export class Collector {
  readonly spans: Collected[] = []
  /** of each request that came */
  readonly headers: IncomingMessage['headers'][] = []

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer((request, response) => {
      void collector.take(request).then((status) => response.writeHead(status).end())
    })
    const collector = new Collector(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The spans of a trace. */
  of(trace: string): Collected[] {
    return this.spans.filter((span) => span.trace === trace)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async take(request: IncomingMessage): Promise<number> {
    if (request.url !== '/v1/traces') return 404
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    this.headers.push(request.headers)
    const body = Buffer.concat(chunks)
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    const read = requests.toObject(requests.decode(bytes), { longs: String }) as Wire
    for (const { resource, scopeSpans } of read.resourceSpans)
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span) => collected(span, pairs(resource.attributes))))
    return 200
  }
}

function collected(span: WireSpan, resource: Record<string, string | number>): Collected {
  return {
    service: String(resource['service.name']),
    name: span.name,
    trace: span.traceId.toString('hex'),
    id: span.spanId.toString('hex'),
    parent: span.parentSpanId?.toString('hex') ?? '',
    kind: span.kind,
    attributes: pairs(span.attributes ?? []),
  }
}

function pairs(all: readonly Pair[]): Record<string, string | number> {
  return Object.fromEntries(
    all.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  )
}

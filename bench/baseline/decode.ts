/** A baseline for decoding: protobufjs makes an object of every span. */
import protobuf from 'protobufjs'
import { buildBody, stamp } from '../load/span-body.js'

/** CPU µs a span of decoding bodies of `spans` spans to objects, over about `seconds`. */
export function measureDecode(protoPath: string, spans: number, seconds: number): number {
  const type = protobuf.loadSync(protoPath).lookupType('heddle.otlp.v1.ExportTraceServiceRequest')
  const bodies = Array.from({ length: 10 }, (_, n) => buildBody(spans, n, 'bench/decode'))
  for (const [n, body] of bodies.entries()) stamp(body, n * spans, 1, Date.now() * 1000, 1)
  const until = performance.now() + seconds * 1000
  const from = process.cpuUsage()
  let decoded = 0
  for (let n = 0; performance.now() < until; n++) {
    type.decode(bodies[n % bodies.length]!.bytes)
    decoded += spans
  }
  const used = process.cpuUsage(from)
  return (used.user + used.system) / decoded
}

/** Turns on spans of Heddle's own work if the environment names a collector. A failure never prevents the start. */
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import type { Log } from '../../platform/telemetry/log.js'
import { traceWith } from '../../platform/telemetry/tracing.js'
import { isHeddle, isOwnPort } from '../../platform/telemetry/tracing-loop.js'
import { version } from '../version.js'
import type { Shutdown } from './shutdown.js'

type UpConfig = Config<typeof processes.up>

export type TracingConfig = Pick<
  UpConfig,
  'otlpEndpoint' | 'otlpTracesEndpoint' | 'otlpProtocol' | 'otelDisabled' | 'metricsPort'
> &
  Partial<Pick<UpConfig, 'port' | 'trainingPort' | 'otlpGrpcPort'>>

const PROTOCOL = 'http/protobuf'
const LOOP = 'the collector is a Heddle, where each span would create more spans'

/**
 * Does nothing without an address, or if the address is a Heddle, where each span would create more: someone who tries
 * Heddle often has set these variables for the programs to trace.
 * @param role `heddle-${role}` is the default of OTEL_SERVICE_NAME
 */
export async function startTracing(
  role: string,
  config: TracingConfig,
  log: Log,
  shutdown: Shutdown,
): Promise<void> {
  const url = collectorOf(config)
  if (url === undefined) return
  const { port, trainingPort, metricsPort, otlpGrpcPort } = config
  const ports = [port, trainingPort, metricsPort, otlpGrpcPort].filter((one) => one !== undefined)
  const off = (why: string) => log.warn({ collector: url.origin }, `Heddle sends no spans: ${why}`)
  if (config.otlpProtocol !== undefined && config.otlpProtocol !== PROTOCOL)
    return off(`OTEL_EXPORTER_OTLP_PROTOCOL is ${config.otlpProtocol}, but only ${PROTOCOL} is supported`)
  if ((await isOwnPort(url, ports)) || (await isHeddle(url))) return off(LOOP)
  const { openTracing } = await import('../../platform/telemetry/tracing-sdk.js')
  const { tracer, stop } = openTracing({
    ...{ url: url.href, name: `heddle-${role}`, version: version() },
    failed: (why) => log.warn({ why: why.slice(0, 300) }, 'spans could not be sent'),
  })
  traceWith(tracer)
  shutdown.add('spans', stop)
  log.info({ collector: url.origin }, 'spans are sent')
}

/** The address for spans; undefined: none. */
export function collectorOf({
  otelDisabled,
  otlpTracesEndpoint,
  otlpEndpoint,
}: Pick<TracingConfig, 'otelDisabled' | 'otlpTracesEndpoint' | 'otlpEndpoint'>): URL | undefined {
  if (otelDisabled) return undefined
  if (otlpTracesEndpoint !== undefined) return new URL(otlpTracesEndpoint)
  if (otlpEndpoint === undefined) return undefined
  return new URL(`${otlpEndpoint.replace(/\/$/, '')}/v1/traces`)
}

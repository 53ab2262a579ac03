/** Checks the collector for spans of Heddle's own work, for `heddle doctor`. */
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { isHeddle } from '../../platform/telemetry/tracing-loop.js'
import { OWN_SPANS } from '../../platform/telemetry/tracing-spans.js'
import { collectorOf } from '../serve/start-tracing.js'
import type { Finding } from './finding.js'

const TIMEOUT_MS = 3000

/** Sends it a request without a span. Never throws. */
export async function spansFindings(config: Config<typeof processes.doctor>): Promise<Finding[]> {
  const url = collectorOf(config)
  if (url === undefined) return []
  const found = (state: Finding['state'], text: string, todo?: string): Finding[] => [
    { name: 'spans', state, text: `${url.origin} ${text}`, ...(todo !== undefined && { todo }) },
  ]
  if (await isHeddle(url))
    return found(
      'warn',
      'is Heddle, where each span would make more: none are sent',
      'nothing, if you set OTEL_EXPORTER_OTLP_… for the programs that you trace; else name another collector',
    )
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        ...headersOf(config.otlpHeaders ?? ''),
        'content-type': 'application/x-protobuf',
        [OWN_SPANS]: '1',
      },
      body: new Uint8Array(0),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (status === 200) return found('ok', 'takes spans')
    const todo =
      status === 401 || status === 403
        ? 'see that OTEL_EXPORTER_OTLP_HEADERS has its key'
        : 'see that it takes OTLP over HTTP there: collectors do on port 4318'
    return found('warn', `answers ${status}`, todo)
  } catch {
    return found(
      'warn',
      'does not answer',
      'start it, or leave OTEL_EXPORTER_OTLP_ENDPOINT out; until then spans are lost',
    )
  }
}

/** Parses `name=value,…` like the SDK. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('=', 2).map((part) => part.trim()))
  return Object.fromEntries(
    pairs.filter(([name, value]) => name && value).map(([name, value]) => [name, decodeURIComponent(value!)]),
  )
}

/** What the write path counts, for Prometheus. */
import type { Metrics } from '../../platform/telemetry/metrics.js'

const ROWS = [1, 10, 100, 300, 1000, 3000, 10_000, 20_000, 30_000, 50_000, 100_000]

export class IngestMetrics {
  readonly accepted
  readonly rejected
  readonly sampledOut
  readonly unwalked
  readonly ignored
  readonly refused
  readonly bytes
  readonly batchRows
  readonly decodeSeconds
  readonly insertSeconds
  readonly reconcileSeconds
  readonly reconciled

  constructor(metrics: Metrics, queued: () => number, held: () => number, away: () => boolean) {
    this.accepted = metrics.counter(
      'ingest_accepted_total',
      'Calls, spans and log records stored and acknowledged.',
    )
    this.rejected = metrics.counter(
      'ingest_rejected_total',
      'Calls, spans and log records rejected as invalid.',
    )
    this.ignored = metrics.counter(
      'ingest_logs_ignored_total',
      'Log records dropped because they are no events of models or agents, or belong to no trace.',
    )
    this.sampledOut = metrics.counter(
      'ingest_sampled_out_total',
      'Spans and log records left out by HEDDLE_SAMPLE_RATE.',
    )
    this.unwalked = metrics.counter(
      'ingest_spans_without_wasm_total',
      'Spans decoded by TypeScript, which takes many times the CPU of WebAssembly.',
    )
    this.refused = metrics.counter(
      'ingest_refused_total',
      'Writes refused because memory was full or ClickHouse unreachable.',
      ['code'],
    )
    this.bytes = metrics.counter('ingest_bytes_total', 'Bytes of decoded bodies, as received.')
    this.reconciled = metrics.counter(
      'ingest_settled_total',
      'Calls that were reconciled (joined or replaced).',
    )
    this.batchRows = metrics.histogram('ingest_batch_rows', 'Rows stored by one insert.', ROWS)
    this.decodeSeconds = metrics.histogram('ingest_decode_seconds', 'Decoding one batch.')
    this.insertSeconds = metrics.histogram('ingest_insert_seconds', 'Storing one batch.')
    this.reconcileSeconds = metrics.histogram('ingest_settle_seconds', 'Reconciling one batch.')
    metrics.gauge('ingest_queue_requests', 'Requests waiting to be decoded.', queued)
    metrics.gauge('ingest_held_bytes', 'Bytes of running writes.', held)
    metrics.gauge('ingest_store_away', '1 while the store is unreachable.', () => (away() ? 1 : 0))
  }
}

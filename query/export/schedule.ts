/** Exports files every hour while the process runs. */
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { RepeatedWork } from '../../platform/time/repeated-work.js'
import type { FileExport } from './file-export.js'

const HOUR_MS = 3_600_000

export function exportSchedule(files: FileExport, log: Log, metrics: Metrics): RepeatedWork {
  const rows = metrics.counter('export_rows_total', 'Rows written to exported files.')
  const failures = metrics.counter('export_failures_total', 'Projects or rounds whose export failed.')
  const failed = (error: unknown, project?: string) => {
    failures.inc()
    log.warn({ err: error, project }, 'could not export files; retrying in an hour')
  }
  return new RepeatedWork(async (signal) => {
    try {
      const waiting = () => log.info('another export is writing there; waiting for it')
      const done = await files.run({ signal, waiting })
      rows.inc(done.rows)
      for (const { project, error } of done.failed) failed(error, project)
      log.info(
        { projects: done.projects, files: done.files, rows: done.rows, removed: done.removed },
        'exported files',
      )
    } catch (error) {
      if (!signal.aborted) failed(error)
    }
  }, HOUR_MS)
}

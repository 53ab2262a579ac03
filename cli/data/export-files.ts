/** `heddle export-files`: the views of projects as Parquet files, and the same for a service. */
import type { Store } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { FileExport } from '../../query/export/file-export.js'
import type { Unit } from '../../query/export/layout.js'
import { filedParquet, streamedParquet } from '../../query/export/parquet.js'
import { auditedHere, type CommandEvent } from '../audited.js'
import { CommandError } from '../command.js'
import { Progress } from '../progress.js'
import { artifactsAt, type S3Config, wholeAddress } from '../serve/artifacts.js'
import type { Shown } from '../shown.js'
import { DataFolder } from '../up/data-folder.js'
import { withStore } from './reach-store.js'

type ExportConfig = Config<typeof processes.exportFiles>

/** An export from a store to a folder or s3://bucket/prefix. */
export function fileExport(
  store: Store,
  config: S3Config & Pick<ExportConfig, 'clickhouseUrl' | 'dataDir'>,
  destination: string,
  unit: Unit,
): FileExport {
  const parquetOf =
    config.clickhouseUrl === undefined
      ? filedParquet(store, new DataFolder(config.dataDir).exporting)
      : streamedParquet(store)
  return new FileExport(store, artifactsAt(wholeAddress(destination), config), unit, parquetOf)
}

/** @throws CommandError if a project could not be exported */
export async function exportFiles(
  config: ExportConfig,
  destination: string,
  { project, by = config.exportUnit }: { project?: string; by?: Unit },
): Promise<Shown> {
  const progress = new Progress('rows', 0)
  const stopping = new AbortController()
  const stop = () => stopping.abort(new CommandError('stopped; export again, what is done stays'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const event: CommandEvent = { action: 'export-files', category: 'export', target: {} }
  if (project !== undefined) event.scope = project
  const { failed, ...done } = await withStore(config, (store) =>
    auditedHere(store, event, () =>
      fileExport(store.inBackground(), config, destination, by).run({
        signal: stopping.signal,
        ...(project !== undefined && { project }),
        waiting: () => process.stderr.write('another export is writing there; waiting for it\n'),
        onProgress: (rows) => progress.at(rows),
      }),
    ),
  )
  progress.end(done.rows)
  if (failed.length > 0) {
    const why = failed.map(({ project: name, error }) => `${name}: ${(error as Error).message}`)
    throw new CommandError(`not exported: ${why.join('; ')}; export again, what is done stays`)
  }
  const { projects, files, rows, removed } = done
  if (project !== undefined && projects === 0)
    throw new CommandError(`${project} has no calls; \`heddle projects\` lists the projects that exist`)
  return {
    value: done,
    text: `${files} files with ${rows} rows written, ${removed} removed, of ${projects} projects\n`,
  }
}

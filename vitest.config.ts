import { readFileSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { rounds } from './test/support/rounds.js'
import { unitTests } from './test/support/unit-files.js'

/**
 * Data folders of tests lie in memory where there is plenty: most tests do not ask what a disk does, and an engine waits
 * for it at every change of a table. Those that do ask (`crash`) use a disk.
 */
process.env.TEST_DATA_FOLDER ??= memoryFolder() ?? ''

function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 4 * 2 ** 30 ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

/** Every folder that is built has its tests beside its sources; tests of several services are in `test/integration`. */
const { include: rooms } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] }
const all = unitTests([...rooms, 'test/integration'])
/** It needs the model server. */
const TRAINING_FLOW = 'web/flows/training.flow.ts'
/** They need packages that take minutes to install: `make test-instrumentations`. */
const LIBRARIES = 'test/instrumentations/{claude-code,codex,collector,inspector,libraries}.test.ts'
const PAGES = 'web/flows/each-file.ts'
/** A page may be that late on a busy machine; by default `expect.poll` gives up after a second. */
const SHOWN = { poll: { timeout: 30_000 } }
const SHARED_SERVERS = 'test/support/shared-server-setup.ts'
const SHARED_ENGINE = 'platform/testing/shared-engine-setup.ts'
const unit = { testTimeout: rounds(60_000), hookTimeout: 60_000, maxWorkers: 2 }

const LONG =
  /test\/conformance\/|(e2e|instrumentations)\/(cli|monitors|evaluate-model|langfuse|annotation|people|alerts|rules|import|two-shards|feedback|scim|weave)\.|integration\/(training|chat-faults|masking)\.|platform\/http\/|clickhouse-embedded\/|query\/calls\/|evaluation\.test/

const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
const longFirst = (files: readonly TestSpecification[]) => [
  ...files.filter(isLong),
  ...files.filter((file) => !isLong(file)),
]

/** Some files take minutes each: begun last, they would leave the other workers without work. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return longFirst(sorted)
  }

  /** Deals them out by their names, so that each part has as many long ones, and all parts of a run together have each once. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!
    const named = [...files].sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
    return longFirst(named).filter((_, i) => i % count === index - 1)
  }
}

/**
 * `unit` runs sources as they are; `fast` and `slow` are its two halves. `chart` renders the chart with the tools of
 * `make chart`; `e2e`, `models` and `crash` drive real processes from `dist/` (so `make test` builds first) and talk to
 * public interfaces only. `models` needs the Python model server. Two or three files at a time run where no file needs
 * the machine for itself.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...unit,
          include: all.map(({ file }) => file),
          globalSetup: SHARED_ENGINE,
        },
      },
      {
        test: {
          name: 'fast',
          ...unit,
          include: all.filter(({ slow }) => !slow).map(({ file }) => file),
          setupFiles: 'test/support/property-rounds.ts',
          // Modules are loaded once for all files of a worker: most of the time goes into that.
          isolate: false,
        },
      },
      {
        test: {
          name: 'node-http',
          ...unit,
          include: all.flatMap(({ file, slow }) =>
            !slow && file.startsWith('platform/http/') ? [file] : [],
          ),
          // The room of HTTP over the other server.
          env: { HEDDLE_HTTP_SERVER: 'node' },
          isolate: false,
        },
      },
      {
        test: {
          name: 'slow',
          ...unit,
          // The last group: nothing else would take the cores.
          maxWorkers: 3,
          include: all.filter(({ slow }) => slow).map(({ file }) => file),
          globalSetup: SHARED_ENGINE,
          isolate: false,
        },
      },
      {
        test: {
          name: 'chart',
          include: ['infra/**/*.test.ts'],
          // Below the chart are links to folders that are looked through already.
          exclude: ['infra/kubernetes/**', 'infra/docker/**', 'infra/helm/heddle/**'],
          testTimeout: 60_000,
          // What was rendered for one file serves the others.
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['infra/{kubernetes,docker}/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/{e2e,conformance,instrumentations}/**/*.test.ts'],
          exclude: [LIBRARIES],
          globalSetup: SHARED_SERVERS,
          testTimeout: rounds(300_000),
          hookTimeout: 180_000,
          maxWorkers: 3,
          // Loading the modules is half a second of a core for each file.
          isolate: false,
        },
      },
      {
        test: {
          name: 'libraries',
          include: [LIBRARIES],
          globalSetup: SHARED_SERVERS,
          testTimeout: 600_000,
          hookTimeout: 180_000,
          // As `e2e`, beside which it runs.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/flows/*.flow.ts'],
          exclude: [TRAINING_FLOW],
          globalSetup: ['web/flows/server.ts', SHARED_SERVERS],
          setupFiles: PAGES,
          expect: SHOWN,
          testTimeout: rounds(300_000),
          hookTimeout: 120_000,
          // One browser for all.
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        test: {
          name: 'models',
          include: ['test/models/**/*.test.ts', TRAINING_FLOW],
          globalSetup: SHARED_SERVERS,
          setupFiles: PAGES,
          expect: SHOWN,
          testTimeout: 300_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        test: {
          name: 'crash',
          include: ['test/crash/**/*.test.ts'],
          env: { TEST_DATA_FOLDER: '' },
          testTimeout: 600_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          isolate: false,
        },
      },
    ],
  },
})

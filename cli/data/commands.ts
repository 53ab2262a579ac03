/** The commands for operators: doctor, migrate, costs, retention, backup. Each loads its code when it is called. */
import { type Command, Option } from 'commander'
import type { Store } from '../../platform/clickhouse/store.js'
import { processes } from '../../platform/config/settings.js'
import type { Unit } from '../../query/export/layout.js'
import { type ClientOptions, clientGroup, onlyHere, serverMeant, storeCommand } from '../client-command.js'
import { withAuditedStore, withConfiguredStore } from '../configured-store.js'
import type { Finding } from '../doctor/finding.js'
import { showing } from '../shown.js'
import { configured, say, subcommand } from '../subcommand.js'

/** `heddle doctor`. */
export function doctorCommand(heddle: Command): void {
  const text = 'check the setup and suggest fixes'
  const doctor = subcommand(heddle, 'doctor', text, processes.doctor).option(
    '--check-parts',
    'also read all stored data and verify its checksums',
  )
  doctor.option('--project <entity/project>', 'also show which conventions its newest spans follow')
  showing(doctor, async ({ checkParts, project }: { checkParts?: boolean; project?: string }) => {
    const { examine, report } = await import('../doctor/doctor.js')
    const findings = await examine(configured(processes.doctor), process.env, checkParts)
    if (project !== undefined) findings.push(...(await understood(project)))
    if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    return { value: findings, text: report(findings, process.stdout.isTTY === true) }
  })
}

async function understood(project: string): Promise<Finding[]> {
  const { seenIn } = await import('../../query/conventions/seen.js')
  const { conventionFindings } = await import('../doctor/conventions.js')
  return withConfiguredStore(async (store) => conventionFindings(project, await seenIn(store, project)))
}

/** `heddle set-aside`. */
export function setAsideCommand(heddle: Command): void {
  subcommand(
    heddle,
    'set-aside <table> <part>',
    'detach an unreadable part from its table, so that reads work again without its rows; its files are kept',
    processes.tool,
  ).action(async (table: string, name: string) => {
    const { setAside } = await import('../../platform/clickhouse/parts.js')
    const event = { action: 'set-aside', category: 'deletion', target: { table, part: name } } as const
    // The log can't go on before its own unreadable part is out of the way; its lines are missing then, which it tells.
    const work = (store: Store) => setAside(store, { table, name })
    await (table === 'audit' ? withConfiguredStore(work) : withAuditedStore(event, work))
    say(`${name} is set aside; its files are in the folder "detached" of the table ${table}`)
  })
}

/** `heddle projects`. */
export function projectsCommand(heddle: Command): void {
  const text = 'list the projects, those of the store with the time of their newest call'
  showing(storeCommand(heddle, 'projects', text, processes.tool), async (options: ClientOptions) => {
    const { projectList, projectsOf } = await import('./projects.js')
    const server = await serverMeant(options)
    return server ? projectsOf(server) : withConfiguredStore(projectList)
  })
}

interface MigrateFlags {
  print?: boolean
  check?: boolean
  patience: string
}

/** `heddle migrate`. */
export function migrateCommand(heddle: Command): void {
  subcommand(heddle, 'migrate', 'update the tables to this version', processes.tool)
    .option('--print', 'print the SQL of all migrations without running it')
    .option('--check', 'change nothing; fail if migrations are pending')
    .option('--patience <seconds>', 'how long to retry a failing store', '0')
    .action(async ({ print, check, patience }: MigrateFlags) => {
      const { awaitMigrations, retryFor, printMigrations, runMigrations } = await import('./migrate.js')
      const config = configured(processes.tool)
      if (print) process.stdout.write(printMigrations(config.clickhouseCluster))
      else await retryFor(patience, () => (check ? awaitMigrations(config) : runMigrations(config)))
    })
}

/** `heddle search-index`. */
export function searchIndexCommand(heddle: Command): void {
  subcommand(
    heddle,
    'search-index [on|off|show]',
    'make or drop an index of the words in inputs, outputs and messages; default: show whether there is one',
    processes.tool,
  ).action(async (what = 'show') => {
    const { changeSearchIndex } = await import('./search-index.js')
    const { clickhouseCluster } = configured(processes.tool)
    say(await withConfiguredStore((store) => changeSearchIndex(store, what, clickhouseCluster)))
  })
}

/** `heddle token-ids`. */
export function tokenIdsCommand(heddle: Command): void {
  clientGroup(heddle, () => import('./token-ids.js')).show(
    'token-ids <project>',
    'show whether completions of entity/project keep their token ids, to train on sessions as they were',
    'tokenIdsOf',
    (command) => command.option('--on', 'keep them from now on').option('--off', 'keep no more'),
  )
}

/** `heddle costs`. */
export function costCommands(heddle: Command): void {
  const costs = heddle.command('costs').description('update the default prices of models')
  subcommand(
    costs,
    'load [file]',
    'load prices from a JSON file; default: the list of this version',
    processes.tool,
  ).action(async (file?: string) => {
    const { loadCosts, priceList } = await import('./costs.js')
    const list = priceList(file)
    const event = { action: 'costs load', category: 'settings', target: { as_of: list.as_of } } as const
    say(await withAuditedStore(event, (store) => loadCosts(store, list)))
  })
}

/** `heddle retention`. */
export function retentionCommands(heddle: Command): void {
  const retention = heddle
    .command('retention')
    .description('limit how long calls are kept and how much disk they use')
  const module = () => import('./retention.js')
  const shown = storeCommand(
    retention,
    'show [project]',
    'show policies, disk usage and recent runs; of a server, how long it keeps calls of entity/project',
    processes.tool,
  )
  showing(shown, async (project: string | undefined, options: ClientOptions) => {
    const { retentionOf, showRetention } = await module()
    if (project === undefined) await onlyHere(options, 'shows its policies')
    const server = await serverMeant(options)
    return server && project ? retentionOf(server, project) : withConfiguredStore(showRetention)
  })
  storeCommand(
    retention,
    'set <scope> <keep>',
    'keep calls of *, an entity or entity/project for 30d, 12w, 1y or forever; inherit removes the policy',
    processes.tool,
  ).action(async (scope: string, keep: string, options: ClientOptions) => {
    const { keepFor, keepThere } = await module()
    const server = await serverMeant(options)
    if (server) say(await keepThere(server, scope, keep))
    else {
      const event = { action: 'retention set', category: 'settings', scope, target: { scope, keep } } as const
      say(await withAuditedStore(event, (store) => keepFor(store, scope, keep)))
    }
  })
  storeCommand(
    retention,
    'cap <size>',
    'limit the disk space of all tables, such as 500GiB; beyond it the oldest calls are deleted; off removes the limit',
    processes.tool,
  ).action(async (size: string, options: ClientOptions) => {
    const { capAt } = await module()
    await onlyHere(options, 'changes its limit')
    const event = { action: 'retention cap', category: 'settings', target: { size } } as const
    say(await withAuditedStore(event, (store) => capAt(store, size)))
  })
  storeCommand(retention, 'run', 'delete expired calls now and wait until they are gone', processes.tool)
    .option('--dry-run', 'only show what would be deleted')
    .action(async ({ dryRun = false, ...options }: ClientOptions & { dryRun?: boolean }) => {
      const { runRetention } = await module()
      await onlyHere(options, 'deletes expired calls')
      const run = (store: Store) => runRetention(store, dryRun)
      const event = { action: 'retention run', category: 'deletion', target: {} } as const
      process.stdout.write(await (dryRun ? withConfiguredStore(run) : withAuditedStore(event, run)))
    })
}

/** `heddle export-files`. */
export function exportFilesCommand(heddle: Command): void {
  const text =
    'write calls, feedback, evaluations and predictions as Parquet files to a folder, or s3://bucket/prefix: those that are new or changed'
  const command = subcommand(heddle, 'export-files <folder>', text, processes.exportFiles)
    .option('--project <entity/project>', 'only this one; default: all')
    .addOption(
      new Option('--by <unit>', 'the time that a file is for; default: HEDDLE_EXPORT_BY').choices([
        'hour',
        'day',
      ]),
    )
  type Options = { project?: string; by?: Unit }
  showing(command, async (destination: string, options: Options) => {
    const { exportFiles } = await import('./export-files.js')
    return exportFiles(configured(processes.exportFiles), destination, options)
  })
}

/** `heddle backup` and `heddle restore`. */
export function backupCommands(heddle: Command): void {
  subcommand(
    heddle,
    'backup <destination>',
    'copy all tables and artifacts to a folder, or s3://bucket/prefix',
    processes.backup,
  )
    .option('--base <source>', 'an earlier backup: write only what is new since then; restoring needs both')
    .action(async (destination: string, { base }: { base?: string }) => {
      const { runBackup } = await import('./backup.js')
      say(await runBackup(configured(processes.backup), destination, base))
    })
  subcommand(heddle, 'restore <source>', 'restore a backup into an empty store', processes.backup)
    .option(
      '--base <source>',
      'where the backup that it adds to is; default: where it was, or beside it as before',
    )
    .action(async (source: string, { base }: { base?: string }) => {
      const { runRestore } = await import('./backup.js')
      say(await runRestore(configured(processes.backup), source, base))
    })
}

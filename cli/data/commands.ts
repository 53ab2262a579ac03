/** The commands of who keeps a store: doctor, migrate, prices, retention, backup. Each loads its own code when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { configured, say, subcommand } from '../subcommand.js'

/** `heddle doctor`. */
export function doctorCommand(heddle: Command): void {
  const text = 'look at everything Heddle needs and say what to do'
  subcommand(heddle, 'doctor', text, processes.doctor)
    .option('--check-parts', 'read everything that is stored, too, and compare it with its checksums')
    .action(async ({ checkParts }: { checkParts?: boolean }) => {
      const { examine, report } = await import('../doctor/doctor.js')
      const findings = await examine(configured(processes.doctor), process.env, checkParts)
      process.stdout.write(report(findings, process.stdout.isTTY === true))
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    })
}

/** `heddle set-aside`. */
export function setAsideCommand(heddle: Command): void {
  subcommand(
    heddle,
    'set-aside <table> <part>',
    'take a part that can not be read out of its table, so that reads go on without its rows; its files are kept',
    processes.tool,
  ).action(async (table: string, name: string) => {
    const [{ withStore }, { setAside }] = await Promise.all([
      import('./reach-store.js'),
      import('../../platform/clickhouse/parts.js'),
    ])
    await withStore(configured(processes.tool), (store) => setAside(store, { table, name }))
    say(`${name} is set aside; its files lie in the folder "detached" of the table ${table}`)
  })
}

interface MigrateFlags {
  print?: boolean
  check?: boolean
  patience: string
}

/** `heddle migrate`. */
export function migrateCommand(heddle: Command): void {
  subcommand(heddle, 'migrate', 'bring the tables up to date', processes.tool)
    .option('--print', 'print the SQL of all migrations and run nothing')
    .option('--check', 'change nothing; fail while something is pending')
    .option('--patience <seconds>', 'how long to try again what fails', '0')
    .action(async ({ print, check, patience }: MigrateFlags) => {
      const { awaitMigrations, patiently, printMigrations, runMigrations } = await import('./migrate.js')
      const config = configured(processes.tool)
      if (print) process.stdout.write(printMigrations(config.clickhouseCluster))
      else await patiently(patience, () => (check ? awaitMigrations(config) : runMigrations(config)))
    })
}

/** `heddle costs`. */
export function costCommands(heddle: Command): void {
  const costs = heddle.command('costs').description('what models cost where a project says nothing')
  subcommand(
    costs,
    'load [file]',
    'add the prices of a list, such as a newer query/costs/default-prices.json; default: the list that ships',
    processes.tool,
  ).action(async (file?: string) => {
    const [{ withStore }, { loadCosts, priceList }] = await Promise.all([
      import('./reach-store.js'),
      import('./costs.js'),
    ])
    const list = priceList(file)
    say(await withStore(configured(processes.tool), (store) => loadCosts(store, list)))
  })
}

/** `heddle retention`. */
export function retentionCommands(heddle: Command): void {
  const retention = heddle.command('retention').description('how long calls are kept, and what they may take')
  const modules = () => Promise.all([import('./reach-store.js'), import('./retention.js')])
  subcommand(retention, 'show', 'print the policies, the space, and the last runs', processes.tool).action(
    async () => {
      const [{ withStore }, { showRetention }] = await modules()
      process.stdout.write(await withStore(configured(processes.tool), showRetention))
    },
  )
  subcommand(
    retention,
    'set <scope> <keep>',
    'keep calls of *, an entity or entity/project for 30d, 12w, 1y or forever; inherit takes a policy back',
    processes.tool,
  ).action(async (scope: string, keep: string) => {
    const [{ withStore }, { keepFor }] = await modules()
    say(await withStore(configured(processes.tool), (store) => keepFor(store, scope, keep)))
  })
  subcommand(
    retention,
    'cap <size>',
    'what the tables may take on a disk, such as 500GiB: past it the oldest calls go; off takes it back',
    processes.tool,
  ).action(async (size: string) => {
    const [{ withStore }, { capAt }] = await modules()
    say(await withStore(configured(processes.tool), (store) => capAt(store, size)))
  })
  subcommand(retention, 'run', 'delete what is kept no longer, and wait until it is gone', processes.tool)
    .option('--dry-run', 'delete nothing; say what would be')
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
      const [{ withStore }, { runRetention }] = await modules()
      process.stdout.write(
        await withStore(configured(processes.tool), (store) => runRetention(store, dryRun)),
      )
    })
}

/** `heddle backup` and `heddle restore`. */
export function backupCommands(heddle: Command): void {
  subcommand(
    heddle,
    'backup <place>',
    'copy all tables and artifacts to a folder, or s3://bucket/prefix',
    processes.backup,
  )
    .option('--base <place>', 'an earlier backup: only what is new since is written, and both are needed')
    .action(async (place: string, { base }: { base?: string }) => {
      const { runBackup } = await import('./backup.js')
      say(await runBackup(configured(processes.backup), place, base))
    })
  subcommand(heddle, 'restore <place>', 'bring a backup back into an empty store', processes.backup).action(
    async (place: string) => {
      const { runRestore } = await import('./backup.js')
      say(await runRestore(configured(processes.backup), place))
    },
  )
}

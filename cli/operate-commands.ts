/** The commands of who keeps a store: retention, backup, restore. Each loads its own code when it is called. */
import type { Command } from 'commander'
import type { Config, Settings } from '../common/config/read.js'
import { processes } from '../common/config/settings.js'

type Subcommand = (parent: Command, name: string, text: string, settings: Settings) => Command
type Configured = <S extends Settings>(settings: S) => Config<S>

export function operateCommands(heddle: Command, command: Subcommand, configured: Configured): void {
  const retention = heddle.command('retention').description('how long calls are kept, and what they may take')
  const modules = () => Promise.all([import('./reach-store.js'), import('./retention.js')])
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  command(retention, 'show', 'print the policies, the space, and the last runs', processes.tool).action(
    async () => {
      const [{ withStore }, { showRetention }] = await modules()
      process.stdout.write(await withStore(configured(processes.tool), showRetention))
    },
  )
  command(
    retention,
    'set <scope> <keep>',
    'keep calls of *, an entity or entity/project for 30d, 12w, 1y or forever; inherit takes a policy back',
    processes.tool,
  ).action(async (scope: string, keep: string) => {
    const [{ withStore }, { keepFor }] = await modules()
    await withStore(configured(processes.tool), (store) => keepFor(store, scope, keep))
    say('set; the next run deletes what is kept no longer')
  })
  command(
    retention,
    'cap <size>',
    'what the tables may take on a disk, such as 500GiB: past it the oldest calls go; off takes it back',
    processes.tool,
  ).action(async (size: string) => {
    const [{ withStore }, { capAt }] = await modules()
    await withStore(configured(processes.tool), (store) => capAt(store, size))
    say('set')
  })
  command(retention, 'run', 'delete what is kept no longer, and wait until it is gone', processes.tool)
    .option('--dry-run', 'delete nothing; say what would be')
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
      const [{ withStore }, { runRetention }] = await modules()
      process.stdout.write(
        await withStore(configured(processes.tool), (store) => runRetention(store, dryRun)),
      )
    })
  command(
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
  command(heddle, 'restore <place>', 'bring a backup back into an empty store', processes.backup).action(
    async (place: string) => {
      const { runRestore } = await import('./backup.js')
      say(await runRestore(configured(processes.backup), place))
    },
  )
}

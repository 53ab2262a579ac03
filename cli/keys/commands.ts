/** The commands of who gives keys out: those of callers, and those of model providers. Each loads its own code when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { configured, say, subcommand } from '../subcommand.js'

interface NewKeyFlags {
  user: string
  grant?: string[]
  label?: string
  logChatTo?: string
}

/** `heddle keys`. */
export function keyCommands(heddle: Command): void {
  const keys = heddle.command('keys').description('make, list and revoke API keys')
  const modules = () => Promise.all([import('../data/reach-store.js'), import('./keys.js')])
  subcommand(keys, 'create', 'make a key and print it, once', processes.tool)
    .requiredOption('--user <name>', 'whom the key belongs to')
    .option(
      '--grant <scope:right...>',
      'scope is *, an entity or entity/project; right is read, write or admin; without it the key may do nothing',
    )
    .option('--label <text>', 'what it is for')
    .option('--log-chat-to <project>', 'entity/project where its chat completions are logged as calls')
    .action(async ({ user, grant = [], label = '', logChatTo }: NewKeyFlags) => {
      const [{ withStore }, { createKey, newKeyFrom }] = await modules()
      const asked = newKeyFrom(user, label, grant, logChatTo)
      const made = await withStore(configured(processes.tool), (store) => createKey(store, asked))
      say(`key ${made.keyId} for ${user}; it is shown this once and stored nowhere:`)
      if (asked.grants.length === 0)
        say('this key has no rights: to give it some, make one with --grant, such as --grant acme:write')
      process.stdout.write(`${made.key}\n`)
    })
  subcommand(keys, 'list', 'list every key that was made', processes.tool).action(async () => {
    const [{ withStore }, { keyTable }] = await modules()
    process.stdout.write(await withStore(configured(processes.tool), keyTable))
  })
  const text = 'end a key (named by its id, or itself), everywhere within 10 seconds'
  subcommand(keys, 'revoke <id>', text, processes.tool).action(async (id: string) => {
    const [{ withStore }, { endKey }] = await modules()
    await withStore(configured(processes.tool), (store) => endKey(store, id))
    say('revoked')
  })
}

/** `heddle secrets`. */
export function secretCommands(heddle: Command): void {
  const secrets = heddle
    .command('secrets')
    .description('set, list and delete the keys that model providers ask for')
  const modules = () => Promise.all([import('../data/reach-store.js'), import('./secrets.js')])
  subcommand(
    secrets,
    'set <scope> <name>',
    'store the value that the standard input brings; scope is *, an entity or entity/project',
    processes.secrets,
  )
    .requiredOption('--for <address>', 'where it may be sent, such as https://api.openai.com; * for anywhere')
    .action(async (scope: string, name: string, { for: address }: { for: string }) => {
      const [{ withStore }, { readValue, secretsOf }] = await modules()
      const settings = configured(processes.secrets)
      if (process.stdin.isTTY) say('the value, then Ctrl-D on a line of its own:')
      const value = await readValue(process.stdin)
      await withStore(settings, (store) => secretsOf(store, settings).set(scope, name, value, address))
      say('set')
    })
  subcommand(secrets, 'list', 'list all secrets without their values', processes.secrets).action(async () => {
    const [{ withStore }, { secretsOf, secretTable }] = await modules()
    const settings = configured(processes.secrets)
    process.stdout.write(await withStore(settings, (store) => secretTable(secretsOf(store, settings))))
  })
  subcommand(secrets, 'delete <scope> <name>', 'delete a secret', processes.secrets).action(
    async (scope: string, name: string) => {
      const [{ withStore }, { removeSecret, secretsOf }] = await modules()
      const settings = configured(processes.secrets)
      await withStore(settings, (store) => removeSecret(secretsOf(store, settings), scope, name))
      say('deleted')
    },
  )
}

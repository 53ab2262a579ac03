/** The commands for API keys and keys of model providers. Each loads its code when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import {
  type ClientOptions,
  clientCommand,
  clientTarget,
  number,
  onlyHere,
  repeated,
  serverMeant,
  storeCommand,
} from '../client-command.js'
import { withAuditedStore, withConfiguredStore } from '../configured-store.js'
import { showing } from '../shown.js'
import { configured, say } from '../subcommand.js'

interface NewKeyFlags {
  user: string
  grant?: string[]
  label?: string
  logChatTo?: string
  area?: string[]
  expires?: number
  model?: string[]
  address?: string[]
}

export interface KeyChangeFlags {
  label?: string
  grant?: string[]
  area?: string[]
  logChatTo?: string
  /** days, or `never` */
  expires?: string
  model?: string[]
  address?: string[]
}

/** `heddle keys`. */
export function keyCommands(heddle: Command): void {
  const keys = heddle.command('keys').description('create, list and revoke API keys')
  const module = () => import('./keys.js')
  storeCommand(keys, 'create', 'create a key and print it once', processes.tool)
    .requiredOption('--user <name>', 'user of the key')
    .option(
      '--grant <scope:right...>',
      'scope: *, an entity or entity/project; right: read, write or admin; without a grant the key has no rights',
    )
    .option('--label <text>', 'a note about its purpose')
    .option('--log-chat-to <project>', 'log its chat completions as calls in this entity/project')
    .option(
      '--area <name>',
      'the grants are for these routes only; `heddle roles areas` lists them; may be repeated',
      repeated,
    )
    .option('--expires <days>', 'after this many days it stops working', number)
    .option('--model <name>', 'it may ask this model only; may be repeated', repeated)
    .option('--address <network>', 'it works from there only, such as 10.0.0.0/8; may be repeated', repeated)
    .action(async ({ user, grant = [], label = '', logChatTo, ...rest }: ClientOptions & NewKeyFlags) => {
      const { createKeyAt, creating, newKeyFrom } = await module()
      const { createKey } = await import('../../domain/auth/create-key.js')
      const { area, expires, model, address, ...options } = rest
      const limits = { areas: area, days: expires, models: model, addresses: address }
      const asked = newKeyFrom(user, label, grant, logChatTo, limits)
      const server = await serverMeant(options)
      const made = server
        ? await createKeyAt(server, asked)
        : await withAuditedStore(creating(asked), async (store, note) => {
            const key = await createKey(store, asked)
            note({ key_id: key.keyId })
            return key
          })
      say(`key ${made.keyId} for ${user}; it is not stored and not shown again:`)
      if (asked.grants.length === 0)
        say('this key has no rights; create one with --grant, such as --grant acme:write')
      process.stdout.write(`${made.key}\n`)
    })
  showing(storeCommand(keys, 'list', 'list all keys', processes.tool), async (options: ClientOptions) => {
    const { keyList, keysAt } = await module()
    const server = await serverMeant(options)
    return server ? keysAt(server) : withConfiguredStore(keyList)
  })
  clientCommand(keys, 'rotate <id>', 'make a key that replaces another, and print it once')
    .option('--overlap <hours>', 'how long the old one works yet', number, 24)
    .action(async (id: string, { overlap, ...options }: ClientOptions & { overlap: number }) => {
      const { rotateKeyAt } = await module()
      const made = await rotateKeyAt(await clientTarget(options), id, overlap)
      say(`key ${made.keyId} replaces ${id}, which works for ${overlap} hours yet:`)
      process.stdout.write(`${made.key}\n`)
    })
  clientCommand(keys, 'set <id>', 'change the label, rights and limits of a key; what is not named stays')
    .option('--label <text>', 'a note about its purpose')
    .option('--grant <scope:right...>', 'its rights, in the place of those that it has')
    .option('--area <name>', 'the grants are for these routes only; may be repeated', repeated)
    .option('--log-chat-to <project>', 'log its chat completions there; none: nowhere')
    .option('--expires <days>', 'in this many days it stops working; never: it does not')
    .option('--model <name>', 'it may ask this model only; may be repeated; all: any model', repeated)
    .option('--address <network>', 'it works from there only; may be repeated; all: from anywhere', repeated)
    .action(async (id: string, options: ClientOptions & KeyChangeFlags) => {
      const { changesFrom, setKeyAt } = await module()
      await setKeyAt(await clientTarget(options), id, changesFrom(options))
      say('changed; it works so within 10 seconds')
    })
  const text = 'revoke a key, given by its id or the key itself; takes effect within 10 seconds'
  storeCommand(keys, 'revoke <id>', text, processes.tool).action(
    async (id: string, options: ClientOptions) => {
      const { endKeyAt, endKeyHere } = await module()
      const server = await serverMeant(options)
      await (server ? endKeyAt(server, id) : endKeyHere(id))
      say('revoked')
    },
  )
}

/** `heddle secrets`. */
export function secretCommands(heddle: Command): void {
  const secrets = heddle.command('secrets').description('store API keys of model providers')
  const modules = () =>
    Promise.all([import('../data/reach-store.js'), import('./secrets.js'), import('../audited.js')])
  storeCommand(
    secrets,
    'set <scope> <name>',
    'store a value read from standard input; scope: *, an entity or entity/project',
    processes.secrets,
  )
    .requiredOption(
      '--for <address>',
      'the only address it may be sent to, such as https://api.openai.com; * for any',
    )
    .action(
      async (scope: string, name: string, { for: address, ...options }: ClientOptions & { for: string }) => {
        await onlyHere(options, 'stores secrets')
        const [{ withStore }, { readValue, secretDeed, secretsOf }, { auditedHere }] = await modules()
        const settings = configured(processes.secrets)
        if (process.stdin.isTTY) say('enter the value, then Ctrl-D on a new line:')
        const value = await readValue(process.stdin)
        await withStore(settings, (store) =>
          auditedHere(store, secretDeed('secrets set', scope, name), () =>
            secretsOf(store, settings).set(scope, name, value, address),
          ),
        )
        say('set')
      },
    )
  const listed = storeCommand(secrets, 'list', 'list secrets, without their values', processes.secrets)
  showing(listed, async (options: ClientOptions) => {
    const [{ withStore }, { secretsAt, secretsOf, secretList }] = await modules()
    const server = await serverMeant(options)
    if (server) return secretsAt(server)
    const settings = configured(processes.secrets)
    return withStore(settings, (store) => secretList(secretsOf(store, settings)))
  })
  storeCommand(secrets, 'delete <scope> <name>', 'delete a secret', processes.secrets).action(
    async (scope: string, name: string, options: ClientOptions) => {
      await onlyHere(options, 'deletes secrets')
      const [{ withStore }, { removeSecret, secretDeed, secretsOf }, { auditedHere }] = await modules()
      const settings = configured(processes.secrets)
      await withStore(settings, (store) =>
        auditedHere(store, secretDeed('secrets delete', scope, name), () =>
          removeSecret(secretsOf(store, settings), scope, name),
        ),
      )
      say('deleted')
    },
  )
}

/** `heddle audit`. Each command loads its code when it is called. */
import { type Command, Option } from 'commander'
import { AUDIT_FORMATS, AUDIT_OUTCOMES } from '../../contract/audit.js'
import { processes } from '../../platform/config/settings.js'
import { AUDIT_CATEGORIES } from '../../platform/http/route.js'
import {
  type ClientOptions,
  clientCommand,
  clientGroup,
  clientTarget,
  number,
  repeated,
  serverMeant,
  storeCommand,
} from '../client-command.js'
import { withConfiguredStore } from '../configured-store.js'
import { showing } from '../shown.js'
import type { FilterOptions } from './audit.js'

export function auditCommands(heddle: Command): void {
  const audit = heddle.command('audit').description('show who did what, and check that nobody changed that')
  const module = () => import('./audit.js')
  clientGroup(audit, module).show('list', 'list who did what, the newest first', 'auditList', (command) =>
    filtered(command)
      .addOption(new Option('--outcome <outcome>', 'how it went').choices(AUDIT_OUTCOMES))
      .option('--limit <count>', 'how many', number, 50),
  )
  filtered(clientCommand(audit, 'export', 'write the lines of the log, the oldest chain first'))
    .addOption(new Option('--format <format>', 'cef is for SIEMs').choices(AUDIT_FORMATS).default('jsonl'))
    .option('--out <file>', '- writes to standard output', '-')
    .action(async (options: ClientOptions & FilterOptions & { format: string; out: string }) =>
      (await module()).exportAudit(await clientTarget(options), options),
    )
  showing(
    storeCommand(
      audit,
      'verify',
      'check that no line was changed or taken out; ends with 1 if one was',
      processes.tool,
    )
      .option(
        '--head <chain:seq:hash>',
        'an end of a chain that was noted earlier; may be repeated',
        repeated,
      )
      .option('--heads <file>', 'a file with one such end in each line'),
    async ({ head = [], heads: file, ...options }: ClientOptions & { head?: string[]; heads?: string }) => {
      const { headFrom, headsIn, verifyAt, verifyHere } = await module()
      const heads = [...head.map(headFrom), ...(file === undefined ? [] : headsIn(file))]
      const server = await serverMeant(options)
      return server ? verifyAt(server, heads) : withConfiguredStore((store) => verifyHere(store, heads))
    },
  )
}

const filtered = (command: Command): Command =>
  command
    .option('--scope <scope>', 'an entity or entity/project that the key administers; *: everything', '*')
    .option('--since <time>', 'only what began then or later, such as 2026-01-31')
    .option('--until <time>', 'only what began before')
    .option('--user <name>', 'only what this user did')
    .addOption(new Option('--category <category>', 'only what is about this').choices(AUDIT_CATEGORIES))
    .option('--action <action>', "only this operation's id, or this command, such as 'keys create'")

/** The commands about calls of a running Heddle: demo, calls, tail, feedback, export, sql. Each loads its code when called. */
import type { Command } from 'commander'
import {
  type ClientOptions,
  CONDITION,
  clientCommand,
  clientGroup,
  clientTarget,
  repeated,
} from '../client-command.js'
import { showing } from '../shown.js'
import { say } from '../subcommand.js'
import type { OpenOptions } from './open.js'
import type { SqlOptions } from './sql.js'
import type { TailOptions } from './tail.js'

/** `heddle demo`. */
export function demoCommand(heddle: Command): void {
  clientGroup(heddle, () => import('./demo.js')).print(
    'demo',
    'log a few nested calls and read them back',
    'demo',
    (command) => command.option('--project <entity/project>', 'where to log', 'me/first'),
  )
}

/** `heddle calls` and `heddle call`. */
export function callCommands(heddle: Command): void {
  const calls = clientGroup(heddle, () => import('./calls.js'))
  calls.show('calls <project>', 'list the newest calls of entity/project', 'newestCalls', choosing)
  calls.show('call <project> <id>', 'show a call with its trace as a tree', 'oneCall')
}

/** `heddle tail` and `heddle open`. */
export function lookCommands(heddle: Command): void {
  choosing(
    clientCommand(
      heddle,
      'tail <project>',
      'print the newest calls of entity/project that have ended, oldest first',
    ),
  )
    .option('-f, --follow', 'and then each call as it ends')
    .option('--json', 'print a line of JSON for each')
    .action(async (project: string, options: ClientOptions & TailOptions) => {
      const { tail } = await import('./tail.js')
      for await (const line of tail(await clientTarget(options), project, options)) process.stdout.write(line)
    })
  const open = 'open the page of a project, a call or runs in the browser'
  const opening = clientCommand(heddle, 'open [project] [call]', open)
    .option('--run <id>', 'a run of an evaluation; repeated, they are compared with the first', repeated)
    .option('--print', 'only print the address')
  showing(
    opening,
    async (project: string | undefined, call: string | undefined, options: ClientOptions & OpenOptions) => {
      const { addressOf, openInBrowser } = await import('./open.js')
      const address = addressOf(await clientTarget(options), project, call, options)
      if (!options.print && !(await openInBrowser(address)))
        say('no browser here: open the address elsewhere')
      return { value: { address }, text: `${address}\n` }
    },
  )
}

/** `heddle feedback`. */
export function feedbackCommands(heddle: Command): void {
  const feedback = clientGroup(
    heddle.command('feedback').description('list and give feedback on calls'),
    () => import('./feedback.js'),
  )
  feedback.show('list <project>', 'list feedback, newest first', 'feedbackList', (command) =>
    command
      .option('--call <id>', 'only feedback on this call')
      .option('--type <name>', 'only feedback of this type')
      .option('--limit <count>', 'maximum number', '50'),
  )
  feedback.show(
    'add <project> <call>',
    'add feedback on a call, and print its id',
    'addFeedback',
    (command) =>
      command
        .option('--reaction <emoji>', 'a reaction')
        .option('--note <text>', 'a note')
        .option('--type <name>', 'a type of your own, with --payload')
        .option('--payload <json>', 'what it says: a JSON object'),
  )
}

/** The options that choose calls. */
function choosing(command: Command): Command {
  return command
    .option('--limit <count>', 'maximum number of calls', '20')
    .option('--op <name>', 'only calls of this op')
    .option('--roots', 'only the first call of each trace')
    .option('--errors', 'only calls that failed')
    .option('--filter <json>', CONDITION)
}

/** `heddle export`. */
export function exportCommand(heddle: Command): void {
  clientCommand(heddle, 'export <project>', 'write all calls of entity/project to a JSONL file')
    .option('--out <file>', 'default: entity-project.jsonl; - writes to standard output')
    .option('--feedback', 'with the feedback on each call')
    .action(async (project: string, options: ClientOptions & { out?: string; feedback?: boolean }) => {
      const { exportCalls } = await import('./export.js')
      const out = options.out ?? `${project.replaceAll(/[^\w.-]/g, '-')}.jsonl`
      const count = await exportCalls(await clientTarget(options), { ...options, project, out })
      say(`wrote ${count.toLocaleString('en-US')} calls to ${out === '-' ? 'standard output' : out}`)
    })
}

/** `heddle sql`. */
export function sqlCommand(heddle: Command): void {
  clientCommand(
    heddle,
    'sql [project] [statement]',
    'run a SELECT over the calls, costs, evaluations and jobs of entity/project',
  )
    .option(
      '--format <name>',
      'json, jsonl, csv, parquet or arrow; default: a table, or what the name of --out ends with',
    )
    .option('--out <file>', '- writes to standard output')
    .option('--param <name=value...>', 'a value of {name:Type} in the statement; ["a","b"] is a list')
    .option('--tables', 'list the tables and their columns')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nThe statement may also be @file, or come from standard input.')
    .action(
      async (
        project: string | undefined,
        statement: string | undefined,
        options: ClientOptions & SqlOptions & { tables?: boolean },
      ) => {
        const { runSql, sqlTables } = await import('./sql.js')
        const to = await clientTarget(options)
        if (options.tables) {
          const { value, text } = await sqlTables(to)
          process.stdout.write(options.json ? `${JSON.stringify(value, undefined, 2)}\n` : text)
        } else await runSql(to, project ?? '', statement, options)
      },
    )
}

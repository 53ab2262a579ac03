/** `heddle eval`: starts, lists, shows and judges runs of evaluations. Each loads its code when it is called. */
import { type Command, Option } from 'commander'
import { type ClientOptions, clientCommand, clientGroup, clientTarget, repeated } from '../client-command.js'
import { say } from '../subcommand.js'
import type { StartOptions } from './start.js'
import type { ThresholdOptions } from './thresholds.js'

type GateOptions = ClientOptions &
  StartOptions &
  ThresholdOptions & { timeout: string; markdown?: string; junit?: string; json?: boolean }

/** `heddle eval`. */
export function evalCommands(heddle: Command): void {
  const group = heddle.command('eval').description('start, list and judge runs of evaluations')
  const runs = clientGroup(group, () => import('./runs.js'))
  const screens = clientGroup(group, () => import('./screen.js'))
  runs.show('list <project>', 'list runs, newest first', 'runList', (command) =>
    command.option('--limit <count>', 'maximum number of runs', '20'),
  )
  screens.show('show <project> <run>', 'show the state of a run and what its scores came to', 'runScreen')
  screens.show(
    'run <project>',
    'start an evaluation that the server runs, and wait for its end',
    'runHere',
    (command) =>
      starting(command)
        .option('--detach', 'print the id of the run without waiting for it')
        .addOption(timeout()),
  )
  gateCommand(group)
}

function gateCommand(evaluations: Command): void {
  const command = starting(
    clientCommand(
      evaluations,
      'gate <project> [run]',
      'judge a run, or one that it starts, beside a baseline: ends with 0, 1 if it got worse, 2 if it could not be judged',
    ),
  )
    .option('--baseline <run>', 'a run, or a version whose last run counts: name:version, name@label')
    .option('--thresholds <file>', 'read these limits from a YAML or JSON file')
    .option('--min <score=number>', 'the least that a score may be; may be repeated', repeated)
    .option('--max <score=number>', 'the most, where less is better; may be repeated', repeated)
    .option(
      '--max-regression <[score=]number>',
      'by how much a score, or any, may get worse; default: 0; may be repeated',
      repeated,
    )
    .option('--max-failed <count>', 'trials that may fail: 3, or 5%; default: 10%')
    .addOption(
      new Option('--confidence <percent>', 'how sure it must be that a score got worse; default: 95').choices(
        ['90', '95', '99'],
      ),
    )
    .option('--common-rows', 'judge the rows that both runs have, if some are in one only')
    .addOption(timeout())
    .option('--markdown <file>', 'write a report in Markdown; - to standard output')
    .option('--junit <file>', 'write JUnit XML; - to standard output')
    .option('--json', 'print JSON')
  command.action(async (project: string, run: string | undefined, options: GateOptions) => {
    const { runGate } = await import('./run-gate.js')
    const { out, status, error } = await runGate(() => clientTarget(options), project, run, options)
    if (error !== undefined) say(error)
    process.stdout.write(out)
    process.exitCode = status
  })
}

/** Options of a run that the server starts. */
function starting(command: Command): Command {
  return command
    .option('--evaluation <name>', 'an evaluation: name, name:version or a ref')
    .option('--dataset <name>', 'instead: a dataset, with scorers')
    .option('--scorer <name>', 'a scorer; may be repeated', repeated)
    .option('--trials <count>', 'how often each row is asked')
    .option('--model <name>', 'a model: name, name:version or a ref')
    .option('--prompt <name>', 'instead: a prompt, name@label, that --llm answers')
    .option('--llm <model>', 'the model that answers the prompt')
    .option('--temperature <number>', 'with --prompt')
    .option('--max-tokens <count>', 'with --prompt')
}

const timeout = () => new Option('--timeout <minutes>', 'how long to wait for a run').default('60')

/** The commands of `heddle`, in the order of its help. */
import { Command } from 'commander'
import { alertCommands } from './alerts/commands.js'
import { auditCommands } from './audit/commands.js'
import { failure } from './command.js'
import { completionCommand } from './completion.js'
import { contextCommands } from './contexts/commands.js'
import {
  callCommands,
  demoCommand,
  exportCommand,
  feedbackCommands,
  lookCommands,
  sqlCommand,
} from './data/client-commands.js'
import {
  backupCommands,
  costCommands,
  doctorCommand,
  exportFilesCommand,
  migrateCommand,
  projectsCommand,
  retentionCommands,
  searchIndexCommand,
  setAsideCommand,
  tokenIdsCommand,
} from './data/commands.js'
import { eraseCommand } from './erase/commands.js'
import { evalCommands } from './eval/commands.js'
import { importCommands } from './import/commands.js'
import { keyCommands, secretCommands } from './keys/commands.js'
import { maskingCommands } from './masking/commands.js'
import { mcpCommand, setupCommand } from './mcp/commands.js'
import { monitorCommands } from './monitors/commands.js'
import { objectCommands } from './objects/commands.js'
import { peopleCommands } from './people/commands.js'
import { ruleCommands } from './rules/commands.js'
import { serviceCommands, upCommand, workerCommands } from './serve/commands.js'
import { shareCommands } from './sharing/commands.js'
import { trainingCommands } from './training/commands.js'
import { version } from './version.js'

const USAGE = 2

/** The command line; runs nothing. */
export function program(): Command {
  const heddle = new Command('heddle')
    .description(
      'Traces and evaluates LLM programs, and serves and trains their models.\nStart with `heddle up`.',
    )
    .version(version(), '-v, --version')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      '\nEnds with 0 when it did what it was asked, 1 when it failed, 2 for wrong usage or configuration, 130 after an interrupt.',
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE))

  heddle.commandsGroup('Start:')
  upCommand(heddle)
  demoCommand(heddle)
  doctorCommand(heddle)
  setAsideCommand(heddle)

  heddle.commandsGroup('Calls and models:')
  contextCommands(heddle)
  projectsCommand(heddle)
  callCommands(heddle)
  lookCommands(heddle)
  feedbackCommands(heddle)
  exportCommand(heddle)
  sqlCommand(heddle)
  importCommands(heddle)
  objectCommands(heddle)
  evalCommands(heddle)
  monitorCommands(heddle)
  alertCommands(heddle)
  ruleCommands(heddle)
  shareCommands(heddle)
  trainingCommands(heddle)
  mcpCommand(heddle)
  setupCommand(heddle)

  heddle.commandsGroup('Operate:')
  peopleCommands(heddle)
  keyCommands(heddle)
  secretCommands(heddle)
  auditCommands(heddle)
  costCommands(heddle)
  retentionCommands(heddle)
  maskingCommands(heddle)
  eraseCommand(heddle)
  searchIndexCommand(heddle)
  tokenIdsCommand(heddle)
  backupCommands(heddle)
  exportFilesCommand(heddle)
  migrateCommand(heddle)

  heddle.commandsGroup('Single roles:')
  serviceCommands(heddle)
  workerCommands(heddle)

  heddle.commandsGroup('More:').helpCommand(true)
  completionCommand(heddle)
  heddle
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${version()}\n`))
  return heddle
}

/** Runs the command in `argv` and exits with its status. */
export async function run(argv: readonly string[]): Promise<void> {
  // Who reads the output has enough of it, such as `head`: the error comes as an event before any await sees it.
  for (const out of [process.stdout, process.stderr])
    out.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    await program().parseAsync([...argv])
    await Promise.all([process.stdout, process.stderr].map(written))
    // Don't wait for what is still open, such as a closing connection or a timer.
    process.exit()
  } catch (error) {
    const { text, status } = failure(error)
    process.stderr.write(`${text}\n`, () => process.exit(status))
  }
}

/** Resolves when the reader of a pipe has it all: an exit would drop the rest. */
function written(out: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void out.write('', () => resolve()))
}

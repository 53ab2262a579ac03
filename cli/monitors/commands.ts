/** `heddle monitors`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CONDITION, clientGroup, number, repeated } from '../client-command.js'

export function monitorCommands(heddle: Command): void {
  const group = heddle
    .command('monitors')
    .description('score calls as they come: make monitors, see what they matched, score the past')
  const monitors = clientGroup(group, () => import('./monitors.js'))
  monitors.show('list <project>', 'list monitors, and what they matched', 'monitorList')
  monitors.show(
    'create <project> <name>',
    'make a monitor, or a new version of one',
    'createMonitor',
    (command) =>
      scoring(matching(command))
        .option('--quiet <seconds>', 'score conversations as a whole, once nothing came for so long', amount)
        .option('--off', 'do not start it'),
  )
  monitors.show(
    'preview <project>',
    'show which calls a monitor would match, and what it would say of the newest',
    'previewMonitor',
    (command) => scoring(matching(command)).option('--hours <number>', 'how far back', amount, 168),
  )
  monitors.show(
    'signals <project>',
    'list the signals that run by themselves, or switch some',
    'signalList',
    (command) =>
      command
        .option('--on <signal>', 'let it run; may be repeated', repeated)
        .option('--off <signal>', 'stop it; may be repeated', repeated),
  )
  monitors.show('on <project> <name>', 'let a monitor score calls from now on', 'startMonitor')
  monitors.show('off <project> <name>', 'stop a monitor', 'stopMonitor')
  monitors.show('delete <project> <name>', 'delete a monitor; its scores stay', 'deleteMonitor')
  clientGroup(group, () => import('./agreement.js')).show(
    'agreement <project> <name>',
    'compare what a monitor and people said of the same calls',
    'agreement',
    (command) =>
      command
        .requiredOption('--people <type>', 'feedback of people: wandb.reaction.1, wandb.annotation.<name>, …')
        .option('--path <path>', 'of the judgement in it; default: that of its kind')
        .option('--invert', 'true of people means false: a thumb up on what is no refusal')
        .option('--scorer <name>', 'of several scorers of the monitor')
        .option('--days <number>', 'how far back', amount, 30)
        .option('--dataset <name>', 'make a dataset of the calls on which they disagree'),
  )
  const actions = ['start', 'pause', 'resume', 'cancel'] as const
  monitors.show(
    'backfill <project> <name>',
    'score calls of the past, the newest first',
    'backfill',
    (command) =>
      command
        .addOption(new Option('--do <what>', 'what to do with it').choices(actions).default('start'))
        .option('--since <time>', 'from when on, such as 2026-01-31; default: the last day')
        .option('--until <time>', 'until when; default: now'),
  )
}

const matching = (command: Command): Command =>
  command
    .option('--op <name>', 'only calls of this op; may be repeated', repeated)
    .option('--where <condition>', CONDITION)
    .option('--rate <share>', 'the part of matching calls to score, 0 to 1', amount, 1)

const scoring = (command: Command): Command =>
  command
    .option('--signal <name>', 'what to notice, such as refusal; may be repeated', repeated)
    .option('--scorer <ref>', 'ref of an existing scorer; may be repeated', repeated)

/** A number that is not negative. */
function amount(text: string): number {
  const value = number(text)
  if (value < 0) throw new InvalidArgumentError('It is not a number.')
  return value
}

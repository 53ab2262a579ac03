/** `heddle monitors`. Each loads its code when it is called. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CONDITION, clientCommand, number, repeated, showingFrom } from '../client-command.js'
import type { AgreementOptions } from './agreement.js'
import type { BackfillOptions, MatchOptions, MonitorOptions, ScoringOptions } from './monitors.js'
import type { SwitchOptions } from './signals.js'

const loadAgreement = () => import('./agreement.js')
const loadMonitors = () => import('./monitors.js')

export function monitorCommands(heddle: Command): void {
  const monitors = heddle
    .command('monitors')
    .description('score calls as they come: make monitors, see what they matched, score the past')
  showingFrom(
    clientCommand(monitors, 'list <project>', 'list monitors, and what they matched'),
    loadMonitors,
    (code, to, project: string) => code.monitorList(to, project),
  )
  showingFrom(
    scoring(
      matching(clientCommand(monitors, 'create <project> <name>', 'make a monitor, or a new version of one')),
    )
      .option('--quiet <seconds>', 'score conversations as a whole, once nothing came for so long', amount)
      .option('--off', 'do not start it'),
    loadMonitors,
    (code, to, project: string, name: string, options: MonitorOptions) =>
      code.createMonitor(to, project, name, options),
  )
  showingFrom(
    scoring(
      matching(
        clientCommand(
          monitors,
          'preview <project>',
          'show which calls a monitor would match, and what it would say of the newest',
        ),
      ),
    ).option('--hours <number>', 'how far back', amount, 168),
    loadMonitors,
    (code, to, project: string, options: MatchOptions & ScoringOptions & { hours: number }) =>
      code.previewMonitor(to, project, options),
  )
  showingFrom(
    clientCommand(monitors, 'signals <project>', 'list the signals that run by themselves, or switch some')
      .option('--on <signal>', 'let it run; may be repeated', repeated)
      .option('--off <signal>', 'stop it; may be repeated', repeated),
    () => import('./signals.js'),
    (code, to, project: string, options: SwitchOptions) => code.signalList(to, project, options),
  )
  for (const [verb, text] of [
    ['on', 'let a monitor score calls from now on'],
    ['off', 'stop a monitor'],
  ] as const)
    showingFrom(
      clientCommand(monitors, `${verb} <project> <name>`, text),
      loadMonitors,
      (code, to, project: string, name: string) => code.activateMonitor(to, project, name, verb === 'on'),
    )
  showingFrom(
    clientCommand(
      monitors,
      'agreement <project> <name>',
      'compare what a monitor and people said of the same calls',
    )
      .requiredOption('--people <type>', 'feedback of people: wandb.reaction.1, wandb.annotation.<name>, …')
      .option('--path <path>', 'of the judgement in it; default: that of its kind')
      .option('--invert', 'true of people means false: a thumb up on what is no refusal')
      .option('--scorer <name>', 'of several scorers of the monitor')
      .option('--days <number>', 'how far back', amount, 30)
      .option('--dataset <name>', 'make a dataset of the calls on which they disagree'),
    loadAgreement,
    (code, to, project: string, name: string, options: AgreementOptions) =>
      code.agreement(to, project, name, options),
  )
  const actions = ['start', 'pause', 'resume', 'cancel'] as const
  showingFrom(
    clientCommand(monitors, 'backfill <project> <name>', 'score calls of the past, the newest first')
      .addOption(new Option('--do <what>', 'what to do with it').choices(actions).default('start'))
      .option('--since <time>', 'from when on, ISO 8601; default: the last day')
      .option('--until <time>', 'until when; default: now'),
    loadMonitors,
    (code, to, project: string, name: string, options: BackfillOptions) =>
      code.backfill(to, project, name, options),
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

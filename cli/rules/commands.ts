/** `heddle rules`. */
import { type Command, Option } from 'commander'
import { CONDITION, clientGroup, number, repeated } from '../client-command.js'

const TRIGGERS = ['call', 'turn', 'score', 'alias', 'dataset-version', 'evaluation', 'training-job'] as const

export function ruleCommands(heddle: Command): void {
  const rules = clientGroup(
    heddle
      .command('rules')
      .description('what is done by itself when something happens: make rules, see what they did'),
    () => import('./rules.js'),
  )
  rules.show('list <project>', 'list rules, and what they matched', 'ruleList')
  rules.show('preview <project>', 'show what would have set off a rule', 'previewRule', (command) =>
    triggered(command).option('--days <number>', 'how far back', number, 7),
  )
  rules.show('create <project> <name>', 'make a rule, or a new version of one', 'createRule', (command) =>
    triggered(command)
      .option('--dataset <name>', 'add the call to this dataset')
      .option(
        '--column <name=path>',
        'of the dataset, such as question=inputs.question; may be repeated',
        repeated,
      )
      .option('--queue <name>', 'add the call to this annotation queue')
      .option('--evaluate <name>', 'run this evaluation')
      .option('--model <name>', 'that is evaluated, or name:alias; default: the version that got the alias')
      .option('--train <name>', 'train this model, on the version of the dataset or on --training-data')
      .option('--training-data <json>', 'as in a training job; @file reads it from a file')
      .option('--set-alias <name>', 'set this alias to the version')
      .option('--min <score=number>', 'only if the score is at least so much; may be repeated', repeated)
      .option('--max <score=number>', 'only if the score is at most so much; may be repeated', repeated)
      .option(
        '--max-regression <score=number>',
        'only if it is worse by no more than that than the version that has the alias; may be repeated',
        repeated,
      )
      .option('--notify <channel>', 'notify this channel')
      .option('--message <text>', 'the text to send; {{rule}}, {{name}}, {{what}} and others are filled in')
      .option('--per-day <count>', 'matches of a day beyond this are skipped', number)
      .option('--off', 'do not start it')
      .option('--file <path>', 'a JSON file with all of it, as in /rules/save'),
  )
  rules.show('on <project> <name>', 'let a rule act from now on', 'startRule')
  rules.show('off <project> <name>', 'stop a rule', 'stopRule')
  rules.show('delete <project> <name>', 'delete a rule; what it did stays', 'deleteRule')
  rules.show('runs <project> [name]', 'list what rules did, the newest first', 'ruleRuns', (command) =>
    command
      .addOption(
        new Option('--state <state>', 'only with an action that is').choices([
          'waiting',
          'done',
          'failed',
          'cut',
        ]),
      )
      .option('--limit <count>', 'how many', number, 50),
  )
  rules.show('retry <project> <name>', 'try the failed actions of a rule again', 'retryRule', (command) =>
    command.option('--run <id>', 'only of this run'),
  )
}

/** What sets off a rule. */
const triggered = (command: Command): Command =>
  command
    .addOption(new Option('--on <what>', 'what sets it off').choices(TRIGGERS))
    .option('--op <name>', 'of calls: only this op; may be repeated', repeated)
    .option('--where <condition>', CONDITION)
    .option('--rate <share>', 'of calls and turns, such as 0.1', number)
    .option('--feedback <type>', 'of scores: feedback of this type, such as wandb.runnable.refusal')
    .option('--monitor <name>', 'of scores: only those that this monitor gave')
    .option('--path <path>', 'of scores: the path of the value; default: output.value')
    .option('--is <comparison>', 'of scores: such as "true", "< 3" or "!= good"; default: any value')
    .option('--of <name>', 'the object, dataset, evaluation or model; default: any')
    .option('--alias <name>', 'of aliases; default: any')
    .option('--ended <status>', 'of training jobs: completed, failed or cancelled; may be repeated', repeated)

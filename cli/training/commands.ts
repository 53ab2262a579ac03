/** The commands over the training interface and their options: train, chat, jobs, curves. Each loads its code when called. */
import { type Command, Option } from 'commander'
import { METHODS } from '../../contract/training-methods.js'
import { processes } from '../../platform/config/settings.js'
import {
  type ClientOptions,
  CONDITION,
  clientCommand,
  clientGroup,
  type Interface,
} from '../client-command.js'
import { CommandError } from '../command.js'
import { configured } from '../subcommand.js'

/** The training interface, as clients ask it. */
const TRAINING: Interface = {
  command: (parent, usage, text) =>
    clientCommand(parent, usage, text, {
      settings: processes.trainingClient,
      server: 'the training interface',
    }),
  target: async (options) => {
    const [{ trainingTarget }, { toldOrContext }] = await Promise.all([
      import('./training-client.js'),
      import('../contexts/contexts.js'),
    ])
    const config = configured(processes.trainingClient)
    return trainingTarget(toldOrContext(options, config.context, 'trainingUrl'), config)
  },
}

/** `heddle train`, `chat`, `jobs` and `curves`. */
export function trainingCommands(heddle: Command): void {
  clientGroup(heddle, () => import('./train.js'), TRAINING).print(
    'train [file]',
    'train a model on a file of {messages, tools?}, {prompt, chosen, rejected}, {prompt, completion, label} or {trajectories} lines, a dataset or traced calls',
    'train',
    training,
  )

  TRAINING.command(
    heddle,
    'chat [model]',
    'talk to a base model or a checkpoint: artifact:///entity/project/name[:stepN]',
  )
    .option('-m, --message <text>', 'send one message, print the answer and exit')
    .option('--system <text>', 'system message')
    .option('--max-tokens <count>', 'maximum number of tokens in an answer')
    .option('--temperature <number>', '0 always gives the most likely answer')
    .action(
      async (
        model: string | undefined,
        {
          maxTokens,
          temperature,
          ...options
        }: ClientOptions & Record<'maxTokens' | 'temperature', string | undefined>,
      ) => {
        const [{ chat }, { wholeNumber }] = await Promise.all([
          import('./chat.js'),
          import('../option-values.js'),
        ])
        if (temperature !== undefined && !(Number(temperature) >= 0))
          throw new CommandError('--temperature must be 0 or more', 2)
        await chat(await TRAINING.target(options), model, {
          ...options,
          ...(maxTokens !== undefined && { maxTokens: wholeNumber('--max-tokens', maxTokens) }),
          ...(temperature !== undefined && { temperature: Number(temperature) }),
        })
      },
    )

  const jobs = heddle.command('jobs').description('list, follow and cancel training jobs')
  const { show, print } = clientGroup(jobs, () => import('./jobs.js'), TRAINING)
  show('list', 'list jobs, newest first', 'jobList', (command) =>
    command
      .option('--project <entity/project>', 'only jobs of this project or entity')
      .option(
        '--status <status>',
        'only jobs that are queued, paused, running, completed, failed or cancelled',
      )
      .option('--limit <count>', 'maximum number of jobs', '20'),
  )
  show('show <job>', 'show the state of a job', 'jobScreen')
  clientGroup(jobs, () => import('./train.js'), TRAINING).print(
    'follow <job>',
    'follow the progress of a job until it ends',
    'followed',
  )
  print('cancel <job>', 'cancel a job; its checkpoints are kept', 'cancelJob')
  print('resume <job>', 'train a paused job after all', 'resumeJob')
  print('metrics <job>', 'print the metrics of every step', 'jobMetrics', (command) =>
    command.option('--csv', 'print CSV instead of JSON'),
  )
  print('logs <job>', 'print the log of a job', 'jobLog')

  clientGroup(heddle, () => import('./curves.js'), TRAINING).print(
    'curves <job...>',
    'plot loss, reward and speed of training jobs in the terminal',
    'curves',
    (command) =>
      command
        .option('--metrics <names>', 'comma-separated names; default: the usual ones')
        .option('--smooth <share>', 'weight of earlier values, from 0 to 0.99', '0')
        .option('--by-model', 'join all jobs of a model into one line'),
  )
}

/** The options of `heddle train`. */
const training = (command: Command): Command =>
  command
    .option(
      '--model <name>',
      'entity/project/name; a name alone is a model of your default project; an existing model is trained further',
    )
    .option('--base <model>', 'base model of a new model; default: the first one served')
    .option('--dataset <ref>', 'train on a dataset: weave:///entity/project/object/name:version')
    .option('--calls <entity/project>', 'train on calls of a project')
    .option('--op <name...>', 'only calls of these ops')
    .option('--since <time>', 'only calls that started at or after this time, such as 2026-01-31')
    .option('--query <json>', CONDITION)
    .option('--limit <calls>', 'maximum number of calls; default: 10000')
    .option('--sessions', 'calls of one thread are turns of one session, by the token ids kept beside them')
    .option(
      '--thumbs-up',
      'only rows with the reaction 👍; with --method dpo, kto and rl: 👍 is good, 👎 is bad',
    )
    .option('--reaction <emoji>', 'only rows with this reaction')
    .option('--prompt <template>', 'user message, with {paths} into a row, such as "{inputs.text}"')
    .option('--completion <template>', 'assistant message, such as "{output}"')
    .option('--rejected <template>', 'with --method dpo: the worse answer, such as "{first_draft}"')
    .option('--system <template>', 'system message')
    .addOption(
      new Option(
        '--method <name>',
        'sft: learn the answers; dpo: learn which of two answers is better; kto: learn which answers are good and which bad; rl: learn from rewards',
      ).choices([...METHODS, 'rl']),
    )
    .option('--reward <ref>', 'with --method rl: the Rubric or scorer that rewards the answers')
    .option('--reward-path <path>', 'where the number is in what it says')
    .option('--check <ref>', 'with --method rl: a dataset that is never trained on, to watch the model by')
    .option('--check-scorer <ref>', 'who scores the answers to its rows; default: that of --reward')
    .option('--check-path <path>', 'where the number is in what that says')
    .option('--check-every <checkpoints>', 'checkpoints from one check to the next; default: 1')
    .option('--check-rows <count>', 'the first rows of the dataset; default: 32')
    .option('--check-max-tokens <count>', 'of an answer; default: 512')
    .option('--check-window <checks>', 'the last checks that are looked at; default: 5')
    .option(
      '--check-min-change <number>',
      'pauses the job if the reward rises and the score falls by as much; default: 0.05',
    )
    .option('--beta <number>', 'with --method dpo and kto: how dear it is to go far from the base model')
    .option('--desirable-weight <number>', 'with --method kto: how much good answers count')
    .option('--undesirable-weight <number>', 'with --method kto: how much bad answers count')
    .option('--batch-size <conversations>', 'conversations per gradient step')
    .option('--learning-rate <number>', 'one number, or one per batch, comma-separated')
    .option('--epochs <times>', 'passes over the data')
    .option('--preview', 'show what would be used and what is skipped, without training')
    .option('--detach', 'start the job without waiting for it')

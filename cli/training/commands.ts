/** The commands over the training interface and their options: train, chat, jobs, curves. Each loads its code when called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { CommandError } from '../command.js'
import { configured, subcommand } from '../subcommand.js'
import type { TrainOptions } from './train.js'

interface ClientOptions {
  url?: string
  key?: string
}

/** `heddle train`, `chat`, `jobs` and `curves`. */
export function trainingCommands(heddle: Command): void {
  const client = (parent: Command, name: string, text: string) =>
    subcommand(parent, name, text, processes.trainingClient)
      .option('--url <address>', 'of the training interface; default: the one on this machine')
      .option('--key <key>', 'default: the development key of this folder')
  const target = async (options: ClientOptions) =>
    (await import('./training-client.js')).trainingTarget(options, configured(processes.trainingClient))

  client(
    heddle,
    'train [file]',
    'fine-tune a model on a file of {messages, tools?} lines, a dataset or traced calls',
  )
    .option(
      '--model <name>',
      'what it is called: a name, or entity/project/name; one that is there is trained on',
    )
    .option('--base <model>', 'the base model of a new one; default: the first that is served')
    .option('--dataset <ref>', 'train on a dataset: weave:///entity/project/object/name:version')
    .option('--calls <entity/project>', 'train on calls of a project')
    .option('--op <name...>', 'calls of these ops')
    .option('--since <time>', 'calls that started then or later, such as 2026-01-31')
    .option('--query <json>', 'calls that this $expr finds, as in /calls/stream_query; @file reads it')
    .option('--limit <calls>', 'most calls; default: 10000')
    .option('--thumbs-up', 'only rows with the reaction 👍')
    .option('--reaction <emoji>', 'only rows with this reaction')
    .option('--prompt <template>', 'what was asked, with {paths} into a row, such as "{inputs.text}"')
    .option('--completion <template>', 'what is to be answered, such as "{output}"')
    .option('--system <template>', 'what goes before it')
    .option('--batch-size <conversations>', 'in a gradient step')
    .option('--learning-rate <number>', 'one, or one for each batch with commas between them')
    .option('--epochs <times>', 'passes over the data')
    .option('--preview', 'show what would be trained and what is left out, and train nothing')
    .option('--detach', 'start the job and do not wait for it')
    .action(async (file: string | undefined, options: ClientOptions & TrainOptions) => {
      const { train } = await import('./train.js')
      process.stdout.write(await train(await target(options), file, options))
    })

  client(
    heddle,
    'chat [model]',
    'talk with a base model, or a checkpoint: artifact:///entity/project/name[:stepN]',
  )
    .option('-m, --message <text>', 'say this, print the answer and end')
    .option('--system <text>', 'what the model is told first')
    .option('--max-tokens <count>', 'most of one answer')
    .option('--temperature <number>', '0 is the likeliest answer')
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
          import('./train-source.js'),
        ])
        if (temperature !== undefined && !(Number(temperature) >= 0))
          throw new CommandError('--temperature is a number from 0', 2)
        await chat(await target(options), model, {
          ...options,
          ...(maxTokens !== undefined && { maxTokens: wholeNumber('--max-tokens', maxTokens) }),
          ...(temperature !== undefined && { temperature: Number(temperature) }),
        })
      },
    )

  jobCommands(heddle.command('jobs').description('list, follow and cancel training jobs'), client, target)

  client(heddle, 'curves <job...>', 'draw loss, reward and speed of training jobs as SVG or PNG')
    .requiredOption('--out <file>', 'ends in .svg or .png')
    .option('--metrics <names>', 'which, with commas between them; default: those that matter')
    .option('--smooth <share>', 'how much of the values before counts, from 0 to 0.99', '0')
    .option('--by-model', "all jobs of each one's model as one line, one after the other")
    .action(
      async (
        jobs: string[],
        options: ClientOptions & { out: string; metrics?: string; smooth: string; byModel?: boolean },
      ) => {
        const { drawCurves } = await import('./curves.js')
        process.stderr.write(await drawCurves(await target(options), jobs, options))
      },
    )
}

function jobCommands(
  jobs: Command,
  client: (parent: Command, name: string, text: string) => Command,
  target: (options: ClientOptions) => Promise<{ url: string; key: string }>,
): void {
  const module = () => import('./jobs.js')
  client(jobs, 'list', 'the newest jobs first')
    .option('--project <entity/project>', 'of one project, or entity')
    .option('--status <status>', 'queued, running, completed, failed or cancelled')
    .option('--limit <count>', 'most that are listed', '20')
    .action(async (options: ClientOptions & { project?: string; status?: string; limit: string }) => {
      const [{ jobsTable }, { wholeNumber }] = await Promise.all([module(), import('./train-source.js')])
      const limit = wholeNumber('--limit', options.limit)
      process.stdout.write(await jobsTable(await target(options), { ...options, limit }))
    })
  client(jobs, 'show <job>', 'how a job is').action(async (id: string, options: ClientOptions) => {
    const { jobScreen } = await module()
    process.stdout.write(await jobScreen(await target(options), id))
  })
  client(jobs, 'follow <job>', 'show its progress until it ends').action(
    async (id: string, options: ClientOptions) => {
      const [{ follow }, { trainedScreen }] = await Promise.all([import('./follow.js'), import('./train.js')])
      process.stdout.write(trainedScreen(await follow(await target(options), id)))
    },
  )
  client(jobs, 'cancel <job>', 'end it; its checkpoints stay').action(
    async (id: string, options: ClientOptions) => {
      const { cancelJob } = await module()
      process.stdout.write(await cancelJob(await target(options), id))
    },
  )
  client(jobs, 'metrics <job>', 'the metrics of every step')
    .option('--csv', 'default: JSON')
    .action(async (id: string, options: ClientOptions & { csv?: boolean }) => {
      const { jobMetrics } = await module()
      process.stdout.write(
        `${(await jobMetrics(await target(options), id, options.csv ? 'csv' : 'json')).trimEnd()}\n`,
      )
    })
  client(jobs, 'logs <job>', 'what workers and nodes said of it').action(
    async (id: string, options: ClientOptions) => {
      const { jobLog } = await module()
      for await (const line of jobLog(await target(options), id)) process.stdout.write(line)
    },
  )
}

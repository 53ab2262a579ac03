/** The commands of `heddle` and their options. Each loads its own code when it is called, so `--help` is quick. */
import { Command } from 'commander'
import { helpText } from '../common/config/describe.js'
import { readConfig, type Settings, strangers } from '../common/config/read.js'
import { processes } from '../common/config/settings.js'
import { failure } from './command.js'
import { operateCommands } from './operate-commands.js'
import { trainingCommands } from './training-commands.js'
import { version } from './version.js'

const USAGE = 2

/** The command line, without anything having been run. */
export function program(): Command {
  const heddle = new Command('heddle')
    .description('Stores what LLM programs do, and gives it back fast.')
    .version(version(), '-v, --version')
    .configureHelp({ showGlobalOptions: false })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE))

  command(heddle, 'up', 'everything on this machine: the store, ingest, query and chat', processes.up).action(
    async () => {
      const { up } = await import('./up.js')
      await up(configured(processes.up))
    },
  )
  command(
    heddle,
    'ingest',
    'the writing half alone, on a ClickHouse that others run',
    processes.ingest,
  ).action(async () => {
    const config = configured(processes.ingest)
    const [{ serveRole }, { ingestService }] = await Promise.all([
      import('./role.js'),
      import('./services.js'),
    ])
    await serveRole('ingest', config, (parts) => ingestService(parts, config))
  })
  command(heddle, 'query', 'the reading half alone, on a ClickHouse that others run', processes.query).action(
    async () => {
      const config = configured(processes.query)
      const [{ serveRole }, { queryService }] = await Promise.all([
        import('./role.js'),
        import('./services.js'),
      ])
      await serveRole('query', config, (parts) => queryService(parts, config, [], () => config.trainingUrl))
    },
  )
  command(
    heddle,
    'tracing',
    'both halves of the tracing interface on one port, on a ClickHouse that others run',
    processes.tracing,
  ).action(async () => {
    const config = configured(processes.tracing)
    const [{ serveRole }, { ingestService, queryService }] = await Promise.all([
      import('./role.js'),
      import('./services.js'),
    ])
    await serveRole('tracing', config, (parts) => {
      const ingest = ingestService(parts, config)
      return [ingest, queryService(parts, config, [ingest], () => config.trainingUrl)]
    })
  })
  command(
    heddle,
    'training-api',
    'the training and chat interface alone, on a ClickHouse and a Redis that others run',
    processes.trainingApi,
  ).action(async () => {
    const config = configured(processes.trainingApi)
    const [{ serveRole }, { trainingService }, { watchService }] = await Promise.all([
      import('./role.js'),
      import('./services.js'),
      import('./watch.js'),
    ])
    await serveRole('training-api', config, (parts) => [
      trainingService(parts, config, () => config.tracingUrl),
      watchService(parts, config.redisUrl),
    ])
  })
  command(
    heddle,
    'inference-worker',
    'takes chat work from the queues and lets GPU nodes do it',
    processes.inferenceWorker,
  ).action(async () => {
    const { runInferenceWorker } = await import('./inference-worker.js')
    await runInferenceWorker(configured(processes.inferenceWorker))
  })
  command(
    heddle,
    'evaluation-worker',
    'runs the evaluations and scoring that the server was asked for',
    processes.evaluationWorker,
  ).action(async () => {
    const { runEvaluationWorker } = await import('./evaluation-worker.js')
    await runEvaluationWorker(configured(processes.evaluationWorker))
  })
  command(
    heddle,
    'trainer-worker',
    'takes training jobs and lets GPU nodes do them',
    processes.trainerWorker,
  ).action(async () => {
    const { runTrainerWorker } = await import('./trainer-worker.js')
    await runTrainerWorker(configured(processes.trainerWorker))
  })
  command(heddle, 'migrate', 'bring the tables up to date', processes.tool)
    .option('--print', 'print the SQL of all migrations and run nothing')
    .option('--check', 'change nothing; fail while something is pending')
    .option('--patience <seconds>', 'how long to try again what fails', '0')
    .action(async ({ print, check, patience }: { print?: boolean; check?: boolean; patience: string }) => {
      const { awaitMigrations, patiently, printMigrations, runMigrations } = await import('./migrate.js')
      const config = configured(processes.tool)
      if (print) process.stdout.write(printMigrations(config.clickhouseCluster))
      else await patiently(patience, () => (check ? awaitMigrations(config) : runMigrations(config)))
    })
  keyCommands(heddle)
  secretCommands(heddle)
  costCommands(heddle)
  command(heddle, 'doctor', 'look at everything Heddle needs and say what to do', processes.doctor).action(
    async () => {
      const { examine, report } = await import('./doctor.js')
      const findings = await examine(configured(processes.doctor), process.env)
      process.stdout.write(report(findings, process.stdout.isTTY === true))
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    },
  )
  operateCommands(heddle, command, configured)
  clientCommands(heddle)
  trainingCommands(heddle, command, () => configured(processes.trainingClient))
  heddle
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${version()}\n`))
  return heddle
}

/** Runs the command that `argv` asks for; ends the process with its status. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync([...argv])
    // What is left open (a connection that is being closed, a timer) is no reason to stay.
    process.exit()
  } catch (error) {
    const { text, status } = failure(error)
    process.stderr.write(`${text}\n`)
    process.exit(status)
  }
}

interface NewKeyFlags {
  user: string
  grant: string[]
  label: string
  logChatTo: string
}

function keyCommands(heddle: Command): void {
  const keys = heddle.command('keys').description('make, list and revoke API keys')
  command(keys, 'create', 'make a key and print it, once', processes.tool)
    .requiredOption('--user <name>', 'whom the key belongs to')
    .option(
      '--grant <scope:right...>',
      'scope is *, an entity or entity/project; right is read, write or admin',
      ['*:write'],
    )
    .option('--label <text>', 'what it is for', '')
    .option('--log-chat-to <project>', 'entity/project where its chat completions are logged as calls', '')
    .action(async ({ user, grant, label, logChatTo }: NewKeyFlags) => {
      const [{ withStore }, { createKey, newKeyFrom }] = await Promise.all([
        import('./reach-store.js'),
        import('./keys.js'),
      ])
      const asked = newKeyFrom(user, label, grant, logChatTo)
      const made = await withStore(configured(processes.tool), (store) => createKey(store, asked))
      process.stderr.write(`key ${made.keyId} for ${user}; it is shown this once and stored nowhere:\n`)
      process.stdout.write(`${made.key}\n`)
    })
  command(keys, 'list', 'list every key that was made', processes.tool).action(async () => {
    const [{ withStore }, { keyTable }] = await Promise.all([import('./reach-store.js'), import('./keys.js')])
    process.stdout.write(await withStore(configured(processes.tool), keyTable))
  })
  command(
    keys,
    'revoke <id>',
    'end a key (named by its id, or itself), everywhere within 10 seconds',
    processes.tool,
  ).action(async (id: string) => {
    const [{ withStore }, { endKey }] = await Promise.all([import('./reach-store.js'), import('./keys.js')])
    await withStore(configured(processes.tool), (store) => endKey(store, id))
    process.stderr.write('revoked\n')
  })
}

function secretCommands(heddle: Command): void {
  const secrets = heddle
    .command('secrets')
    .description('set, list and delete the keys that model providers ask for')
  const config = () => configured(processes.secrets)
  const modules = () => Promise.all([import('./reach-store.js'), import('./secrets.js')])
  command(
    secrets,
    'set <scope> <name>',
    'store the value that the standard input brings; scope is *, an entity or entity/project',
    processes.secrets,
  )
    .requiredOption('--for <address>', 'where it may be sent, such as https://api.openai.com; * for anywhere')
    .action(async (scope: string, name: string, { for: address }: { for: string }) => {
      const [{ withStore }, { readValue, secretsOf }] = await modules()
      const settings = config()
      if (process.stdin.isTTY) process.stderr.write('the value, then Ctrl-D on a line of its own:\n')
      const value = await readValue(process.stdin)
      await withStore(settings, (store) => secretsOf(store, settings).set(scope, name, value, address))
      process.stderr.write('set\n')
    })
  command(secrets, 'list', 'list all secrets without their values', processes.secrets).action(async () => {
    const [{ withStore }, { secretsOf, secretTable }] = await modules()
    const settings = config()
    const shown = await withStore(settings, (store) => secretTable(secretsOf(store, settings)))
    process.stdout.write(shown)
  })
  command(secrets, 'delete <scope> <name>', 'delete a secret', processes.secrets).action(
    async (scope: string, name: string) => {
      const [{ withStore }, { removeSecret, secretsOf }] = await modules()
      const settings = config()
      await withStore(settings, (store) => removeSecret(secretsOf(store, settings), scope, name))
      process.stderr.write('deleted\n')
    },
  )
}

function costCommands(heddle: Command): void {
  const costs = heddle.command('costs').description('what models cost where a project says nothing')
  command(
    costs,
    'load [file]',
    'add the prices of a list, such as a newer query/costs/default-prices.json; default: the list that ships',
    processes.tool,
  ).action(async (file?: string) => {
    const [{ withStore }, { loadCosts, priceList }] = await Promise.all([
      import('./reach-store.js'),
      import('./costs.js'),
    ])
    const list = priceList(file)
    const done = await withStore(configured(processes.tool), (store) => loadCosts(store, list))
    process.stderr.write(`${done}\n`)
  })
}

interface ClientOptions {
  url?: string
  key?: string
}

function clientCommands(heddle: Command): void {
  const client = (name: string, text: string) =>
    command(heddle, name, text, processes.client)
      .option('--url <address>', 'of a running Heddle; default: the one on this machine')
      .option('--key <key>', 'default: the development key of this folder')
  client('export <project>', 'write all calls of entity/project to a JSONL file')
    .option('--out <file>', 'default: the project, with - for /, and .jsonl')
    .action(async (project: string, options: ClientOptions & { out?: string }) => {
      const [{ exportCalls }, { target }] = await Promise.all([
        import('./export.js'),
        import('./http-client.js'),
      ])
      const file = options.out ?? `${project.replaceAll(/[^\w.-]/g, '-')}.jsonl`
      const count = await exportCalls(target(options, configured(processes.client)), project, file)
      process.stderr.write(`wrote ${count} calls to ${file}\n`)
    })
  client('demo', 'log a few nested calls and read them back')
    .option('--project <entity/project>', 'where to', 'me/first')
    .action(async (options: ClientOptions & { project: string }) => {
      const [{ demo }, { target }] = await Promise.all([import('./demo.js'), import('./http-client.js')])
      process.stdout.write(await demo(target(options, configured(processes.client)), options.project))
    })
}

/** A subcommand whose help ends with the environment it reads. */
function command(parent: Command, name: string, text: string, settings: Settings): Command {
  return parent
    .command(name)
    .description(text)
    .addHelpText('after', () => `\n${helpText(settings)}`)
}

/** The configuration from the environment; says which variables look like typing errors. */
function configured<S extends Settings>(settings: S) {
  const known = Object.values(processes).flatMap((one) => Object.values(one).map(({ variable }) => variable))
  for (const { variable, meant } of strangers(known, process.env)) {
    process.stderr.write(`heddle: nothing reads ${variable}${meant && `; did you mean ${meant}?`}\n`)
  }
  return readConfig(settings, process.env)
}

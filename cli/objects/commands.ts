/** `heddle objects`, `datasets` and `prompts`. Each loads its code when it is called. */
import type { Command } from 'commander'
import { type ClientOptions, clientCommand, clientTarget, showingFrom } from '../client-command.js'
import { showing } from '../shown.js'
import { say } from '../subcommand.js'

const loadObjects = () => import('./objects.js')
const loadPrompts = () => import('./prompts.js')

const NAMED = 'name, name:version or name@label'

/** `heddle objects`, `datasets` and `prompts`. */
export function objectCommands(heddle: Command): void {
  const objects = heddle.command('objects').description('list, show, create and name versions of objects')
  listCommand(objects, 'objects').option('--class <name>', 'only objects of this class, such as Model')
  showingFrom(
    clientCommand(objects, 'show <project> <name>', `show a version: ${NAMED}`),
    loadObjects,
    (code, to, project: string, name: string) => code.objectScreen(to, project, name),
  )
  publishCommand(
    objects,
    'create',
    'publish JSON as a version; - reads standard input',
    async (project, name, file, options) => {
      const { jsonFrom, publish } = await import('./objects.js')
      const json = await jsonFrom(file)
      return { ref: await publish(await clientTarget(options), project, name, json) }
    },
  )
  aliasCommand(objects, 'alias <project> <name> <alias...>', 'let aliases name a version, and no other')

  const datasets = heddle.command('datasets').description('list datasets, publish rows and read them')
  listCommand(datasets, 'datasets', 'Dataset')
  publishCommand(
    datasets,
    'push',
    'publish a file of JSON lines as a version; - reads standard input',
    async (project, name, file, options) => {
      const { pushDataset } = await import('./datasets.js')
      const made = await pushDataset(await clientTarget(options), project, name, file)
      say(`published ${made.rows.toLocaleString('en-US')} rows`)
      return made
    },
  )
  clientCommand(datasets, 'pull <project> <name>', 'write the rows of a version as JSON lines')
    .option('--out <file>', '- writes to standard output', '-')
    .action(async (project: string, name: string, options: ClientOptions & { out: string }) => {
      const { pullDataset } = await import('./datasets.js')
      const rows = await pullDataset(await clientTarget(options), project, name, options.out)
      if (options.out !== '-') say(`wrote ${rows.toLocaleString('en-US')} rows to ${options.out}`)
    })

  const prompts = heddle
    .command('prompts')
    .description('list prompts, read and publish them, and label versions')
  listCommand(prompts, 'prompts', 'Prompt')
  showingFrom(
    clientCommand(prompts, 'get <project> <name>', `print a version: ${NAMED}`),
    loadPrompts,
    (code, to, project: string, name: string) => code.promptScreen(to, project, name),
  )
  publishCommand(
    prompts,
    'push',
    'publish a text, or a JSON list of messages, as a version; - reads standard input',
    async (project, name, file, options) => {
      const { pushPrompt } = await import('./prompts.js')
      return { ref: await pushPrompt(await clientTarget(options), project, name, file) }
    },
  )
  aliasCommand(prompts, 'label <project> <name> <label...>', 'move labels to a version')
}

/** @param publish stores the file as a version; its ref is printed */
function publishCommand(
  parent: Command,
  verb: string,
  text: string,
  publish: (project: string, name: string, file: string, options: ClientOptions) => Promise<{ ref: string }>,
): void {
  showing(
    clientCommand(parent, `${verb} <project> <name> <file>`, text),
    async (project: string, name: string, file: string, options: ClientOptions) => {
      const made = await publish(project, name, file, options)
      return { value: made, text: `${made.ref}\n` }
    },
  )
}

/** @param of what it lists, for sentences @param base only objects of this class */
function listCommand(parent: Command, of: string, base?: string): Command {
  const command = clientCommand(parent, 'list <project>', `list ${of}, newest first`)
    .option('--versions', 'all versions, not the latest only')
    .option('--limit <count>', 'maximum number', '50')
  showing(
    command,
    async (
      project: string,
      { limit, ...options }: ClientOptions & { class?: string; versions?: boolean; limit: string },
    ) => {
      const [{ objectList }, { wholeNumber }] = await Promise.all([
        import('./objects.js'),
        import('../option-values.js'),
      ])
      const asked = {
        ...options,
        limit: wholeNumber('--limit', limit),
        ...(base !== undefined && { class: base }),
      }
      return objectList(await clientTarget(options), project, asked)
    },
  )
  return command
}

/** @param usage its name and arguments: a project, a version, aliases */
function aliasCommand(parent: Command, usage: string, text: string): void {
  showingFrom(
    clientCommand(parent, usage, text),
    loadObjects,
    (code, to, project: string, name: string, aliases: string[]) =>
      code.setAliases(to, project, name, aliases),
  )
}

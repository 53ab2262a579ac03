/** `heddle objects`, `datasets` and `prompts`. Each loads its code when it is called. */
import type { Command } from 'commander'
import { type ClientOptions, clientCommand, clientGroup, clientTarget } from '../client-command.js'
import { say } from '../subcommand.js'

const NAMED = 'name, name:version or name@label'

/** `heddle objects`, `datasets` and `prompts`. */
export function objectCommands(heddle: Command): void {
  const loadObjects = () => import('./objects.js')
  const loadDatasets = () => import('./datasets.js')
  const loadPrompts = () => import('./prompts.js')

  const group = heddle.command('objects').description('list, show, create and name versions of objects')
  const objects = clientGroup(group, loadObjects)
  objects.show('list <project>', 'list objects, newest first', 'objectList', (command) =>
    listed(command).option('--class <name>', 'only objects of this class, such as Model'),
  )
  objects.show('show <project> <name>', `show a version: ${NAMED}`, 'objectScreen')
  const created = 'publish JSON as a version; - reads standard input'
  objects.show('create <project> <name> <file>', created, 'createObject')
  const alias = 'let aliases name a version, and no other'
  objects.show('alias <project> <name> <alias...>', alias, 'setAliases')

  const datasets = heddle.command('datasets').description('list datasets, publish rows and read them')
  clientGroup(datasets, loadObjects).show(
    'list <project>',
    'list datasets, newest first',
    'datasetList',
    listed,
  )
  clientGroup(datasets, loadDatasets).show(
    'push <project> <name> <file>',
    'publish a file of JSON lines as a version; - reads standard input',
    'pushDataset',
  )
  clientCommand(datasets, 'pull <project> <name>', 'write the rows of a version as JSON lines')
    .option('--out <file>', '- writes to standard output', '-')
    .action(async (project: string, name: string, options: ClientOptions & { out: string }) => {
      const { pullDataset } = await loadDatasets()
      const rows = await pullDataset(await clientTarget(options), project, name, options.out)
      if (options.out !== '-') say(`wrote ${rows.toLocaleString('en-US')} rows to ${options.out}`)
    })

  const texts = heddle
    .command('prompts')
    .description('list prompts, read and publish them, and label versions')
  const prompts = clientGroup(texts, loadPrompts)
  clientGroup(texts, loadObjects).show('list <project>', 'list prompts, newest first', 'promptList', listed)
  prompts.show('get <project> <name>', `print a version: ${NAMED}`, 'promptScreen')
  prompts.show(
    'push <project> <name> <file>',
    'publish a text, or a JSON list of messages, as a version; - reads standard input',
    'pushPrompt',
  )
  const label = 'move labels to a version'
  clientGroup(texts, loadObjects).show('label <project> <name> <label...>', label, 'setAliases')
}

const listed = (command: Command): Command =>
  command
    .option('--versions', 'all versions, not the latest only')
    .option('--limit <count>', 'maximum number', '50')

/** The commands that import what a file, another product or another Heddle has. Each loads its code when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { type ClientOptions, clientCommand, clientTarget } from '../client-command.js'
import { configured, say } from '../subcommand.js'
import type { Import } from './run.js'

interface ImportOptions extends ClientOptions {
  from: string
  checkpoint?: string
}

const CHECKPOINT =
  'file that records the progress until the end; default: heddle-import-….json in this folder'

/** `heddle import`. */
export function importCommands(heddle: Command): void {
  const imports = heddle
    .command('import')
    .description(
      'import traces from files, Weave, Langfuse or Phoenix; after a stop, run it again to continue',
    )

  clientCommand(
    imports,
    'jsonl <file> <project>',
    'import lines that `heddle export` wrote; - reads standard input',
  )
    .option('--checkpoint <file>', CHECKPOINT)
    .action(async (file: string, project: string, options: ImportOptions) => {
      const { jsonlStages } = await import('./jsonl.js')
      await run(options, { project, source: `jsonl ${file}`, stages: () => jsonlStages(file, project) })
    })

  clientCommand(
    imports,
    'parquet <folder> <project>',
    'import calls and feedback from files that `heddle export-files` wrote to <folder>',
  )
    .option('--source <entity/project>', 'the project of the files; default: the same name')
    .option('--checkpoint <file>', CHECKPOINT)
    .action(async (folder: string, project: string, options: ImportOptions & { source?: string }) => {
      const { source = project } = options
      const { parquetStages } = await import('./parquet.js')
      const stages = () => parquetStages(folder, source, project)
      await run(options, { project, source: `parquet ${source} in ${folder}`, stages })
    })

  clientCommand(
    imports,
    'weave <source> [project]',
    'import the project <source> of W&B Weave or of another Heddle: objects, tables, files, calls and feedback; [project] default: the same name',
    { settings: processes.importWeave },
  )
    .option('--from <address>', 'address of the Weave server', 'https://trace.wandb.ai')
    .option('--checkpoint <file>', CHECKPOINT)
    .action(async (source: string, given: string | undefined, options: ImportOptions) => {
      const project = given ?? source
      const [{ weaveStages }, { projectNamed }] = await Promise.all([
        import('./weave.js'),
        import('../http-client.js'),
      ])
      const { sourceKey = '' } = configured(processes.importWeave)
      const from = await remote('Weave', options, `Basic ${base64(`api:${sourceKey}`)}`, 'WANDB_API_KEY')
      await run(options, {
        project,
        source: `weave ${projectNamed(source)} of ${from.url}`,
        stages: (to, checkpoint) => weaveStages(from, to, source, project, checkpoint),
      })
    })

  clientCommand(
    imports,
    'langfuse <project>',
    'import a project of Langfuse: traces, observations and scores',
    {
      settings: processes.importLangfuse,
    },
  )
    .option('--from <address>', 'address of Langfuse', 'https://cloud.langfuse.com')
    .option('--checkpoint <file>', CHECKPOINT)
    .action(async (project: string, options: ImportOptions) => {
      const { langfuseStages } = await import('./langfuse.js')
      const { publicKey = '', secretKey = '' } = configured(processes.importLangfuse)
      const authorization = `Basic ${base64(`${publicKey}:${secretKey}`)}`
      const variables = 'LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY'
      const from = await remote('Langfuse', options, authorization, variables)
      await run(options, {
        project,
        // The key says which project it is.
        source: `langfuse ${publicKey} of ${from.url}`,
        stages: (_, { progress }) => langfuseStages(from, project, progress.began),
      })
    })

  clientCommand(
    imports,
    'phoenix <source> <project>',
    'import the project <source> of Arize Phoenix: spans and their annotations',
    { settings: processes.importPhoenix },
  )
    .option('--from <address>', 'address of Phoenix', 'http://localhost:6006')
    .option('--checkpoint <file>', CHECKPOINT)
    .action(async (source: string, project: string, options: ImportOptions) => {
      const { phoenixStages } = await import('./phoenix.js')
      const { sourceKey = '' } = configured(processes.importPhoenix)
      const from = await remote('Phoenix', options, `Bearer ${sourceKey}`, 'PHOENIX_API_KEY')
      await run(options, {
        project,
        source: `phoenix ${source} of ${from.url}`,
        stages: () => phoenixStages(from, source, project),
      })
    })
}

/** The server to import from. */
async function remote(name: string, { from }: ImportOptions, authorization: string, variables: string) {
  const [{ Remote }, { serverAt }] = await Promise.all([import('./remote.js'), import('../http-client.js')])
  return new Remote(serverAt(from), authorization, {
    name,
    unreachable: 'check --from',
    unauthorized: `set ${variables} in the environment`,
  })
}

async function run(options: ImportOptions, what: Omit<Import, 'to' | 'checkpoint'>): Promise<void> {
  const { importAll } = await import('./run.js')
  say(await importAll({ ...what, to: await clientTarget(options), checkpoint: options.checkpoint }))
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

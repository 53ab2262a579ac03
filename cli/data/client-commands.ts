/** The commands that are clients of a running Heddle: demo, export. Each loads its code when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { configured, subcommand } from '../subcommand.js'

interface ClientOptions {
  url?: string
  key?: string
}

/** `heddle demo`. */
export function demoCommand(heddle: Command): void {
  client(heddle, 'demo', 'log a few nested calls and read them back')
    .option('--project <entity/project>', 'where to log', 'me/first')
    .action(async (options: ClientOptions & { project: string }) => {
      const { demo } = await import('./demo.js')
      process.stdout.write(await demo(await target(options), options.project))
    })
}

/** `heddle export`. */
export function exportCommand(heddle: Command): void {
  client(heddle, 'export <project>', 'write all calls of entity/project to a JSONL file')
    .option('--out <file>', 'default: entity-project.jsonl')
    .action(async (project: string, options: ClientOptions & { out?: string }) => {
      const { exportCalls } = await import('./export.js')
      const file = options.out ?? `${project.replaceAll(/[^\w.-]/g, '-')}.jsonl`
      const count = await exportCalls(await target(options), project, file)
      process.stderr.write(`wrote ${count.toLocaleString('en-US')} calls to ${file}\n`)
    })
}

function client(heddle: Command, name: string, text: string): Command {
  return subcommand(heddle, name, text, processes.client)
    .option('--url <address>', 'address of Heddle; default: on this machine')
    .option('--key <key>', 'API key; default: the development key of this folder')
}

async function target(options: ClientOptions) {
  const { target: targetOf } = await import('../http-client.js')
  return targetOf(options, configured(processes.client))
}

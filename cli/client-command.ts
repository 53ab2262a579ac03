/** Commands that are clients of a running Heddle: their options, and the address and key that these mean. */
import type { Command } from 'commander'
import type { Settings } from '../platform/config/read.js'
import { processes } from '../platform/config/settings.js'
import type { Target } from './http-client.js'
import { configured, subcommand } from './subcommand.js'

export interface ClientOptions {
  url?: string
  key?: string
  context?: string
}

/** What an option with a condition on calls takes. */
export const CONDITION =
  'only calls that match, such as {"$gt": [{"$getField": "inputs.n"}, {"$literal": 1}]}; @file reads it from a file'

/** @param name with its arguments @param server what `--url` is the address of */
export function clientCommand(
  parent: Command,
  name: string,
  text: string,
  { settings = processes.client, server = 'Heddle' }: { settings?: Settings; server?: string } = {},
): Command {
  return subcommand(parent, name, text, settings)
    .option('--url <address>', `address of ${server}; default: on this machine`)
    .option('--key <key>', 'API key; default: the development key of this folder')
    .option('--context <name>', 'server of `heddle context`; default: the one in use')
}

/** The tracing interface that the options name. */
export async function clientTarget(options: ClientOptions): Promise<Target> {
  const [{ target }, { toldOrContext }] = await Promise.all([
    import('./http-client.js'),
    import('./contexts/contexts.js'),
  ])
  const config = configured(processes.client)
  return target(toldOrContext(options, config.context, 'url'), config)
}

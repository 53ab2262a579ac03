/** Subcommands: their help with the environment they read, their settings, and their messages. */
import type { Command } from 'commander'
import { helpText } from '../platform/config/describe.js'
import { type Config, readConfig, type Settings, unknownVariables } from '../platform/config/read.js'
import { processes } from '../platform/config/settings.js'

/** Adds a subcommand to `parent`. @param name with its arguments, such as `revoke <id>` */
export function subcommand(parent: Command, name: string, text: string, settings: Settings): Command {
  return parent
    .command(name)
    .description(text)
    .addHelpText('after', () => `\n${helpText(settings)}`)
}

/** The configuration from the environment; warns about misspelt variables. @throws ConfigError */
export function configured<S extends Settings>(settings: S): Config<S> {
  for (const { variable, meant } of unknownVariables(Object.values(processes), process.env)) {
    process.stderr.write(`heddle: unknown variable ${variable}${meant && `; did you mean ${meant}?`}\n`)
  }
  return readConfig(settings, process.env)
}

/** Prints a message on standard error; results go to standard output. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

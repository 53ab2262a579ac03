/** What every subcommand has: help that ends with the environment it reads, its settings from there, and a voice. */
import type { Command } from 'commander'
import { helpText } from '../platform/config/describe.js'
import { type Config, readConfig, type Settings, unknownVariables } from '../platform/config/read.js'
import { processes } from '../platform/config/settings.js'

/** Adds one to `parent`. @param name with its arguments, such as `revoke <id>` */
export function subcommand(parent: Command, name: string, text: string, settings: Settings): Command {
  return parent
    .command(name)
    .description(text)
    .addHelpText('after', () => `\n${helpText(settings)}`)
}

/** The configuration from the environment; says which variables look like typing errors. @throws ConfigError */
export function configured<S extends Settings>(settings: S): Config<S> {
  const known = Object.values(processes).flatMap((one) => Object.values(one).map(({ variable }) => variable))
  for (const { variable, meant } of unknownVariables(known, process.env)) {
    process.stderr.write(`heddle: unknown variable ${variable}${meant && `; did you mean ${meant}?`}\n`)
  }
  return readConfig(settings, process.env)
}

/** A line for whoever reads along; what a command is for goes to the standard output. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

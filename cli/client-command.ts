/** Commands that are clients of a running Heddle: their options, and the address and key that these mean. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Settings } from '../platform/config/read.js'
import { processes } from '../platform/config/settings.js'
import { CommandError } from './command.js'
import type { Target } from './http-client.js'
import { type Shown, showing } from './shown.js'
import { configured, say, subcommand } from './subcommand.js'

export interface ClientOptions {
  url?: string
  key?: string
  context?: string
}

/** What an option with a condition on calls takes. */
export const CONDITION =
  'only calls that match, such as {"$gt": [{"$getField": "inputs.n"}, {"$literal": 1}]}; @file reads it from a file'

/** Collects the values of an option that may be repeated. */
export const repeated = (text: string, before: string[] = []): string[] => [...before, text]

/** Reads an option that is a number. */
export function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It is not a number.')
  return value
}

/** @param name with its arguments @param server what `--url` is the address of */
export function clientCommand(
  parent: Command,
  name: string,
  text: string,
  { settings = processes.client, server = 'Heddle' }: { settings?: Settings; server?: string } = {},
): Command {
  return serverOptions(subcommand(parent, name, text, settings), `${server}; default: on this machine`)
}

/**
 * A command that works on the store of this machine, or asks the server that an option or the context in use names.
 * @param name with its arguments
 */
export function storeCommand(parent: Command, name: string, text: string, settings: Settings): Command {
  return serverOptions(
    subcommand(parent, name, text, settings),
    'a server to ask; default: the store of this machine',
  )
}

function serverOptions(command: Command, url: string): Command {
  return command
    .option('--url <address>', `address of ${url}`)
    .option('--key <key>', 'API key; default: the development key of this folder')
    .option('--context <name>', 'server of `heddle context`; default: the one in use')
}

/** The server that the options or the context in use name; undefined: none, so the store of this machine is meant. */
export async function serverMeant(options: ClientOptions): Promise<Target | undefined> {
  const { toldOrContext } = await import('./contexts/contexts.js')
  const config = configured(processes.client)
  const told = toldOrContext(options, config.context, 'url')
  return told.url === undefined ? undefined : (await import('./http-client.js')).target(told, config)
}

/**
 * For what servers have no route for.
 * @param what the command does
 * @throws CommandError if a server is meant
 */
export async function onlyHere(options: ClientOptions, what: string): Promise<void> {
  const server = await serverMeant(options)
  if (server === undefined) return
  const todo = 'run this on its machine, or use --context local for the store of this one'
  throw new CommandError(`${server.url} has no route that ${what}; ${todo}`, 2)
}

/** What `Code` has that asks a server, by what that resolves to. */
type Asking<Code, Result> = {
  [Name in keyof Code]: Code[Name] extends (to: Target, ...given: never[]) => Promise<Result> ? Name : never
}[keyof Code]

/** Adds a command. @param name of the function that does it @param more its own options */
type Adding<Code, Result> = (
  usage: string,
  text: string,
  name: Asking<Code, Result>,
  more?: (command: Command) => Command,
) => void

/** An interface that clients ask: what its commands have in common, and where it is. */
export interface Interface {
  command: (parent: Command, usage: string, text: string) => Command
  target: (options: ClientOptions) => Promise<Target>
}

const TRACING: Interface = { command: clientCommand, target: clientTarget }

/**
 * Adds clients' commands to a group: those that show something, those that print text, and those that do something and
 * say what. Each is a function of the group's code, given the server and what the command was given: arguments, then
 * options.
 * @param load the code, when one of them is called
 */
export function clientGroup<Code>(
  parent: Command,
  load: () => Promise<Code>,
  { command, target }: Interface = TRACING,
): { show: Adding<Code, Shown>; print: Adding<Code, string>; run: Adding<Code, string> } {
  const result = async <Result>(name: Asking<Code, Result>, given: unknown[]): Promise<Result> => {
    // Commander adds the options and the command behind the arguments.
    const [code, to] = await Promise.all([load(), target(given.at(-2) as ClientOptions)])
    return (code[name] as (to: Target, ...given: unknown[]) => Promise<Result>)(to, ...given.slice(0, -1))
  }
  const added =
    (act: (name: Asking<Code, string>, given: unknown[]) => Promise<void>): Adding<Code, string> =>
    (usage, text, name, more = same) => {
      more(command(parent, usage, text)).action((...given: unknown[]) => act(name, given))
    }
  return {
    show: (usage, text, name, more = same) => {
      showing(more(command(parent, usage, text)), (...given: unknown[]) => result<Shown>(name, given))
    },
    print: added(async (name, given) => void process.stdout.write(await result<string>(name, given))),
    run: added(async (name, given) => say(await result<string>(name, given))),
  }
}

const same = (command: Command) => command

/** The tracing interface that the options name. */
export async function clientTarget(options: ClientOptions): Promise<Target> {
  const [{ target }, { toldOrContext }] = await Promise.all([
    import('./http-client.js'),
    import('./contexts/contexts.js'),
  ])
  const config = configured(processes.client)
  return target(toldOrContext(options, config.context, 'url'), config)
}

/**
 * Named servers of this user: address, training address and key of each, in one file that only the user may read. Knows no
 * command, and speaks to no server.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../../platform/files/write-private.js'
import { ownOf } from '../../platform/json/object.js'
import { parsedAs } from '../../platform/json/parse.js'
import type { ClientOptions } from '../client-command.js'
import { CommandError } from '../command.js'

/** This machine's `heddle up`: the one context that is not stored. */
export const LOCAL = 'local'

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/

const Context = z.object({ url: z.string(), trainingUrl: z.string().optional(), key: z.string().optional() })
const Stored = z.object({ current: z.string(), contexts: z.record(z.string(), Context) })

export type Context = z.output<typeof Context>
type Stored = z.output<typeof Stored>

export class Contexts {
  /** @param file default: in the user's configuration folder */
  constructor(private readonly file = defaultFile()) {}

  /** The name of the context that commands use if none is named. */
  get current(): string {
    return this.read().current
  }

  get all(): ReadonlyMap<string, Context> {
    return new Map(Object.entries(this.read().contexts))
  }

  /** @throws CommandError if there is none of this name */
  get(name: string): Context {
    const found = this.all.get(name)
    if (found) return found
    throw new CommandError(`unknown context "${name}"; \`heddle context list\` shows those that exist`, 2)
  }

  /** Adds a context, or changes what is given of it. @throws CommandError for an invalid name, or a new one without address */
  set(name: string, { url, ...more }: Partial<Context>): void {
    if (name === LOCAL || !NAME.test(name))
      throw new CommandError(`"${name}" can't name a context; use letters, digits, "_", "." and "-"`, 2)
    const { current, contexts } = this.read()
    const known = ownOf(contexts, name)
    const address = url ?? known?.url
    if (address === undefined)
      throw new CommandError(`the context "${name}" is new; give its address with --url`, 2)
    const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined))
    this.write({ current, contexts: { ...contexts, [name]: { ...known, ...given, url: address } } })
  }

  /** Makes `name` the current context. @throws CommandError if there is none */
  use(name: string): void {
    if (name !== LOCAL) this.get(name)
    this.write({ ...this.read(), current: name })
  }

  /** @throws CommandError if there is none */
  remove(name: string): void {
    this.get(name)
    const { current, contexts } = this.read()
    const { [name]: _, ...others } = contexts
    this.write({ current: current === name ? LOCAL : current, contexts: others })
  }

  private read(): Stored {
    let text: string
    try {
      text = readFileSync(this.file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: LOCAL, contexts: {} }
      throw error
    }
    const stored = parsedAs(Stored, text)
    if (stored) return stored
    throw new CommandError(`${this.file} can't be read as a list of contexts; mend or delete it`, 2)
  }

  private write(stored: Stored): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    writePrivate(this.file, `${JSON.stringify(stored, undefined, 2)}\n`)
  }
}

function defaultFile(): string {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return join(folder, 'heddle', 'contexts.json')
}

/**
 * Address and key that the options, else the context, name; neither on this machine.
 * @param configured the name in the environment @param which of the context's addresses
 */
export function toldOrContext(
  { url, key, context }: ClientOptions,
  configured: string | undefined,
  which: 'url' | 'trainingUrl',
  contexts = new Contexts(),
): { url?: string; key?: string } {
  const own = { ...(url !== undefined && { url }), ...(key !== undefined && { key }) }
  // A context's key is for its own address alone.
  if (url !== undefined) {
    if (context !== undefined) throw new CommandError('give --url or --context, not both', 2)
    return own
  }
  const name = context ?? configured ?? contexts.current
  if (name === LOCAL) return own
  const found = contexts.get(name)
  const address = found[which]
  if (address === undefined)
    throw new CommandError(
      `the context "${name}" has no training address; set it with \`heddle context set ${name} --training-url\``,
      2,
    )
  if (found.key === undefined && key === undefined)
    throw new CommandError(
      `the context "${name}" has no key; set it with \`heddle context set ${name} --key\``,
      2,
    )
  return { url: address, ...(found.key !== undefined && { key: found.key }), ...own }
}

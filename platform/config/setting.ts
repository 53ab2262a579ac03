/** Types of environment variables: value, default and documentation. */
import { z } from 'zod'
import { isNetwork } from '../networks/networks.js'

/** One environment variable. */
export interface Setting<T> {
  readonly variable: string
  /** its earlier name, which is still read */
  readonly formerly: string | undefined
  /** the form of a value, as shown in the docs */
  readonly kind: string
  /** the default, as a user would write it; undefined: unset */
  readonly fallback: string | undefined
  readonly doc: string
  /** never printed */
  readonly secret: boolean
  /** true: the process refuses to start without it */
  readonly required: boolean
  readonly schema: z.ZodType<T, string>
}

interface About {
  variable: string
  formerly?: string
  doc: string
}

const UNITS: Record<string, number> = {
  '': 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}
const FLAGS: Record<string, boolean> = { true: true, 1: true, yes: true, false: false, 0: false, no: false }

/** A TCP port; 0 takes any free one. */
export function port(about: About & { fallback: number }): Setting<number> {
  return number(about, 'port', 'a port: a whole number from 0 to 65535', 0, 65_535)
}

/** A TCP port, or `off`. */
export function portOrOff(about: About & { fallback: number }): Setting<number | undefined> {
  const { schema, ...port } = number(about, 'port \\| off', 'a port from 0 to 65535, or off', 0, 65_535)
  const off = z.literal('off').transform((): number | undefined => undefined)
  return { ...port, schema: z.union([off, schema]) }
}

/** A whole number from `min` to `max`. */
export function count(about: About & { fallback: number; min: number; max: number }): Setting<number> {
  const { min, max } = about
  return number(about, 'number', `a whole number from ${min} to ${max}`, min, max)
}

/** A number from 0 to 1. */
export function fraction(about: About & { fallback: number }): Setting<number> {
  const schema = z.string().transform((value, context) => {
    const parsed = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN
    return parsed <= 1 ? parsed : refuse(context, 'a number from 0 to 1')
  })
  return { ...plain(about), kind: '0 to 1', fallback: String(about.fallback), schema }
}

/** A whole number of seconds from `min` to `max`. */
export function seconds(about: About & { fallback: number; min: number; max: number }): Setting<number> {
  const { min, max } = about
  return number(about, 'seconds', `a whole number of seconds from ${min} to ${max}`, min, max)
}

/** A size in bytes, at least `min` bytes: `64MiB`, `1.5GB`, `1000000`. */
export function bytes(about: About & { fallback: string; min: number }): Setting<number> {
  const must = `a size such as 64MiB or 2GB, at least ${about.min} bytes`
  const schema = z.string().transform((text, context) => {
    const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? []
    const size = Math.round(Number(digits) * (UNITS[(unit ?? '').toLowerCase()] ?? Number.NaN))
    return Number.isSafeInteger(size) && size >= about.min ? size : refuse(context, must)
  })
  return { ...plain(about), kind: 'size', fallback: about.fallback, schema }
}

/** One of `values`. */
export function choice<const V extends string>(
  about: About & { fallback: NoInfer<V>; values: readonly V[] },
): Setting<V> {
  const schema = z
    .string()
    .transform(
      (text, context) =>
        about.values.find((value) => value === text.toLowerCase()) ??
        refuse(context, `one of ${about.values.join(', ')}`),
    )
  return { ...plain(about), kind: about.values.join(' \\| '), fallback: about.fallback, schema }
}

/** Yes or no. */
export function flag(about: About & { fallback: boolean }): Setting<boolean> {
  const schema = z
    .string()
    .transform((text, context) => FLAGS[text.toLowerCase()] ?? refuse(context, 'true or false'))
  return { ...plain(about), kind: 'true \\| false', fallback: String(about.fallback), schema }
}

/** Any text. */
export function text(about: About & { fallback: string; kind?: string }): Setting<string> {
  return { ...plain(about), kind: about.kind ?? 'text', fallback: about.fallback, schema: z.string() }
}

/** Optional text; `pattern` is what it must match, `must` says so in words. */
export function optional(
  about: About & { kind?: string; secret?: boolean; pattern?: RegExp; must?: string },
): Setting<string | undefined> {
  const { pattern, must = 'something else' } = about
  const schema = z.string().transform((value, context): string | undefined => {
    return pattern === undefined || pattern.test(value) ? value : refuse(context, must)
  })
  return { ...plain(about), kind: about.kind ?? 'text', secret: about.secret ?? false, schema }
}

/** The address of an HTTP server, without credentials. */
export function url(about: About): Setting<string | undefined> {
  const must = 'an address such as http://127.0.0.1:8123, without a user or password in it'
  const schema = z.string().transform((value, context): string | undefined => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    const good = parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password
    return good ? value : refuse(context, must)
  })
  return { ...plain(about), kind: 'address', schema }
}

/** IP address ranges, separated by commas. */
export function ranges(about: About): Setting<readonly string[] | undefined> {
  const must = 'address ranges separated by commas, such as 10.0.0.0/8, 127.0.0.1 or fd00::/8'
  const schema = z.string().transform((value, context): readonly string[] | undefined => {
    const list = value.split(',').map((range) => range.trim())
    return list.every(isNetwork) ? list : refuse(context, must)
  })
  return { ...plain(about), kind: 'ranges', schema }
}

/** Names of hosts, by commas, each with a port or without. */
export function hosts(about: About): Setting<readonly string[] | undefined> {
  const must = 'hosts by commas, such as scores.example.com or scores.example.com:8443'
  const schema = z.string().transform((value, context): readonly string[] | undefined => {
    const list = value.split(',').map((host) => host.trim())
    const isHost = (one: string) => URL.canParse(`http://${one}`) && new URL(`http://${one}`).host === one
    return list.every(isHost) ? list : refuse(context, must)
  })
  return { ...plain(about), kind: 'hosts', schema }
}

/** Origins of web pages, by commas; `*`: all. */
export function origins(about: About): Setting<readonly string[] | undefined> {
  const must = 'origins by commas, such as https://app.example.com, or *'
  const schema = z.string().transform((value, context): readonly string[] | undefined => {
    const list = value.split(',').map((origin) => origin.trim())
    const isOrigin = (one: string) => one === '*' || (URL.canParse(one) && new URL(one).origin === one)
    return list.every(isOrigin) ? list : refuse(context, must)
  })
  return { ...plain(about), kind: 'origins', schema }
}

/** The same setting, for a process that requires it. */
export function required<T>(setting: Setting<T | undefined>): Setting<T> {
  const schema = setting.schema.transform((value, context) => value ?? refuse(context, 'set'))
  return { ...setting, required: true, schema }
}

function number(
  about: About & { fallback: number },
  kind: string,
  must: string,
  min: number,
  max: number,
): Setting<number> {
  const schema = z.string().transform((value, context) => {
    const parsed = /^\d+$/.test(value) ? Number(value) : Number.NaN
    return parsed >= min && parsed <= max ? parsed : refuse(context, must)
  })
  return { ...plain(about), kind, fallback: String(about.fallback), schema }
}

function plain({ variable, formerly, doc }: About) {
  return { variable, formerly, doc, secret: false, required: false, fallback: undefined }
}

function refuse(context: z.RefinementCtx, must: string): never {
  context.addIssue({ code: 'custom', message: must })
  return z.NEVER
}

/** Reads typed configuration from an environment, or reports a sentence per problem. */
import type { Setting } from './setting.js'

/** The settings of one process, by their names in the code. */
export type Settings = Record<string, Setting<unknown>>

/** The values of `S`, typed. */
export type Config<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never
}

export type Environment = Readonly<Record<string, string | undefined>>

/** One or more variables are invalid; the message has a sentence for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** Reads `settings` from `env`; an empty variable counts as unset. Throws {@link ConfigError} with every problem. */
export function readConfig<S extends Settings>(settings: S, env: Environment): Config<S> {
  const problems: string[] = []
  const values = Object.entries(settings).map(([name, setting]) => {
    const before = setting.formerly && env[setting.formerly]
    const given = env[setting.variable]?.trim() || before?.trim() || undefined
    const text = given ?? setting.fallback
    if (text === undefined) {
      if (setting.required)
        problems.push(`${setting.variable} is not set; it must be ${article(setting.kind)}.`)
      return [name, undefined]
    }
    const result = setting.schema.safeParse(text)
    if (result.success) return [name, result.data]
    const shown = setting.secret ? 'has an invalid value' : `is ${JSON.stringify(text)}`
    problems.push(`${setting.variable} ${shown}; it must be ${result.error.issues[0]?.message}.`)
    return [name, undefined]
  })
  if (problems.length > 0) throw new ConfigError(problems)
  // Each value comes from its own setting's schema, so the record has the declared type.
  return Object.fromEntries(values) as Config<S>
}

/**
 * `HEDDLE_*` variables of `env` that no setting reads, each with the most similar known name: most are typing errors.
 * Skips `HEDDLE_NODE_*`, which the model nodes check themselves.
 */
export function unknownVariables(
  known: Iterable<Settings>,
  env: Environment,
): { variable: string; meant: string }[] {
  const names = [...known].flatMap((settings) =>
    Object.values(settings).flatMap(({ variable, formerly = variable }) => [variable, formerly]),
  )
  return Object.keys(env)
    .filter((variable) => /^HEDDLE_(?!NODE_)/.test(variable) && !names.includes(variable))
    .map((variable) => {
      const [nearest] = names
        .map((name) => ({ name, far: distance(variable, name) }))
        .sort((a, b) => a.far - b.far)
      return { variable, meant: nearest && nearest.far <= 3 ? nearest.name : '' }
    })
}

function article(kind: string): string {
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

/** Levenshtein distance, two rows at a time. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1))
    }
    above = row
  }
  return above[b.length]!
}

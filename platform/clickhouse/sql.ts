/**
 * The only way to build SQL: a tagged template that accepts other SQL, bound values or checked identifiers, never text.
 * Values are sent separately as ClickHouse parameters.
 */
import { TupleParam } from '@clickhouse/client'
import { written } from './parameters.js'

/** A bound value: `{name:Type}` in the text, the value in the parameters. */
class Bound {
  private known: string | undefined

  constructor(
    readonly type: string,
    readonly value: unknown,
  ) {}

  /** The value as ClickHouse reads it; cached, since it may be long and appear in many statements. */
  get text(): string {
    this.known ??= written(this.value)
    return this.known
  }

  /** Upper bound for its characters in the SQL text. */
  get length(): number {
    return this.type.length + NAME_LENGTH
  }
}

/** `{p12345:}` */
const NAME_LENGTH = 9

/** A table to join: its SQL, starting with the kind of join. */
export interface Join {
  /** joins with the same name are merged */
  name: string
  from: Sql
}

/** What nearly always holds, and spares a statement a condition: see {@link presuming}. */
interface Presumption {
  about: string
  check: Sql
}

/** What else a piece says than its text. */
interface Notes {
  join?: Join
  presumption?: Presumption
  /** presumptions in it are checked behind it */
  isCovered?: true
}

/** A statement as it is sent. */
export interface Rendered {
  query: string
  /** the values */
  params: Record<string, unknown>
  /** their ClickHouse form */
  texts: Record<string, string>
  /** what it presumes something about */
  presumes: readonly string[]
}

const made = Symbol('made by the sql tag')

/** A piece of SQL. Only the tag creates it, so it never contains a caller's text. */
export class Sql {
  /** Upper bound for its characters. Pieces may be nested in others many times, so this can be any number. */
  readonly length: number

  private constructor(
    private readonly texts: readonly string[],
    private readonly holes: readonly (Sql | Bound)[],
    private readonly notes: Notes = {},
  ) {
    let length = 0
    for (const text of texts) length += text.length
    for (const hole of holes) length += hole.length
    this.length = length
  }

  /** @internal used by the tag below */
  static [made](texts: readonly string[], holes: readonly (Sql | Bound)[], notes?: Notes): Sql {
    return new Sql(texts, holes, notes)
  }

  /**
   * The statement and its parameters; equal values of one type share a parameter.
   * @param presuming with the checks of {@link presuming} instead of the conditions that they spare
   */
  render(presuming = false): Rendered {
    const params: Record<string, unknown> = {}
    const texts: Record<string, string> = {}
    const names = new Map<string, string>()
    // Values may be long: each is compared with others once.
    const known = new Map<Bound, string>()
    const presumes = new Set<string>()
    const write = (sql: Sql, isCovered: boolean): string => {
      const { presumption } = sql.notes
      if (presuming && presumption) {
        presumes.add(presumption.about)
        return isCovered ? '1' : write(presumption.check, false)
      }
      let out = sql.texts[0] ?? ''
      for (let i = 0; i < sql.holes.length; i++) {
        const hole = sql.holes[i]!
        out +=
          hole instanceof Sql ? write(hole, isCovered || sql.notes.isCovered === true) : placeholder(hole)
        out += sql.texts[i + 1]
      }
      return out
    }
    const nameOf = ({ type, value, text }: Bound): string => {
      const key = `${type} ${text}`
      let name = names.get(key)
      if (name === undefined) {
        name = `p${names.size}`
        names.set(key, name)
        params[name] = value
        texts[name] = text
      }
      return name
    }
    const placeholder = (bound: Bound): string => {
      const name = known.get(bound) ?? nameOf(bound)
      known.set(bound, name)
      return `{${name}:${bound.type}}`
    }
    return { query: write(this, false), params, texts, presumes: [...presumes] }
  }

  /** The joins that this piece needs, without duplicates. */
  get joins(): Join[] {
    const found = new Map<string, Join>()
    const look = (sql: Sql): void => {
      const { join } = sql.notes
      if (join) found.set(join.name, join)
      for (const hole of sql.holes) if (hole instanceof Sql) look(hole)
    }
    look(this)
    return [...found.values()]
  }

  /** True if `piece` is in it. */
  contains(piece: Sql): boolean {
    return this === piece || this.holes.some((hole) => hole instanceof Sql && hole.contains(piece))
  }

  /** True if it contains nothing. */
  get empty(): boolean {
    return this.holes.length === 0 && this.texts.every((text) => text.trim() === '')
  }
}

/** Builds SQL: literal text from the source code, holes from {@link Sql} and {@link bind}. */
export function sql(texts: TemplateStringsArray, ...holes: (Sql | Bound)[]): Sql {
  return Sql[made](texts, holes)
}

/** `piece` of a table that must be joined wherever the piece is used. */
export function joined(piece: Sql, join: Join): Sql {
  return Sql[made](['', ''], [piece], { join })
}

/**
 * A condition that a statement can do without as long as `check` holds. The store sends the check alone, which is quicker to
 * plan, and the condition where the engine answered that it does not hold.
 * @param about names what is presumed: where it did not hold a moment ago, it isn't tried
 * @param check a condition that holds, or ends the statement by `throwIf`
 */
export function presuming(about: string, check: Sql, condition: Sql): Sql {
  return Sql[made](['', ''], [condition], { presumption: { about, check } })
}

/** A piece behind which others check what it presumes. */
export function covered(piece: Sql): Sql {
  return Sql[made](['', ''], [piece], { isCovered: true })
}

/** Bound values, by ClickHouse type. */
export const bind = {
  string: (value: string) => new Bound('String', value),
  strings: (values: readonly string[]) => new Bound('Array(String)', values),
  /** Integers of any size, as text or bigint where a double would round. */
  int: (value: number | bigint | string) => new Bound('Int64', String(value)),
  uint: (value: number | bigint | string) => new Bound('UInt64', String(value)),
  uints: (values: readonly (number | bigint | string)[]) =>
    new Bound('Array(UInt64)', `[${values.join(',')}]`),
  ints: (values: readonly (number | bigint | string)[]) => new Bound('Array(Int64)', `[${values.join(',')}]`),
  float: (value: number) => new Bound('Float64', value),
  floats: (values: readonly number[]) => new Bound('Array(Float64)', values),
  hashes: (values: readonly number[]) => new Bound('Array(UInt32)', values),
  bool: (value: boolean) => new Bound('UInt8', value ? 1 : 0),
  /** Rows of several values, for `(a, b) IN …`. */
  tuples: (
    types: readonly ('String' | 'Int8' | 'UInt64' | 'Int64')[],
    rows: readonly (string | number)[][],
  ) =>
    new Bound(
      `Array(Tuple(${types.join(', ')}))`,
      rows.map((row) => new TupleParam(row)),
    ),
  /** A value of a type that a caller names: of one word, or a list of such. Throws on others. */
  typed: (type: string, value: unknown) => {
    if (!/^(?:\w+(?:\(\d\))?|Array\(\w+\))$/.test(type))
      throw new Error(`not an SQL type: ${JSON.stringify(type)}`)
    return new Bound(type, value)
  },
  /** µs since the epoch. */
  time: (micros: bigint | number) => new Bound('Int64', String(micros)),
}

/** Joins SQL pieces with `separator`, leaving out empty ones. */
export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const kept = pieces.filter((piece) => !piece.empty)
  if (kept.length === 0) return sql``
  const holes: Sql[] = []
  kept.forEach((piece, i) => {
    if (i > 0) holes.push(separator)
    holes.push(piece)
  })
  return Sql[made](['', ...holes.map(() => '')], holes)
}

/** Pieces as a list: columns, arguments, terms of an order. */
export const commaList = (pieces: readonly Sql[]): Sql => join(pieces, sql`, `)

/** The condition that all of these hold. */
export const allOf = (conditions: readonly Sql[]): Sql => join(conditions, sql` AND `)

/** A time as the tables have it. @param micros µs since the epoch */
export const instant = (micros: bigint | number): Sql =>
  sql`fromUnixTimestamp64Micro(${bind.time(micros)}, 'UTC')`

/** A word, a number or a sign of the language as it is: nothing that opens a string, a name or a comment. Throws on others. */
export function token(text: string): Sql {
  if (
    !/^(?:\w+|\d*\.?\d+(?:[eE][-+]?\d+)?|\d+\.(?:[eE][-+]?\d+)?|[-+*%(),.:?=<>[\]]|[!<>]=|<>|\|\||->|::|\/|==|<=>)$/.test(
      text,
    )
  )
    throw new Error(`not an SQL token: ${JSON.stringify(text)}`)
  return Sql[made]([text], [])
}

const RISKY = /[\p{Cc}\\'`"]/gu
/** Bytes by their numbers; those beyond ASCII are part of a character, and end nothing. */
const hex = (char: string) => {
  const code = char.codePointAt(0)!
  return code > 0x7f ? char : `\\x${code.toString(16).padStart(2, '0')}`
}
const harmless = (text: string) => text.replaceAll(RISKY, hex)

/** Any text as a name: whatever it contains, it ends where it should. */
export function quoted(name: string): Sql {
  return Sql[made]([`\`${harmless(name)}\``], [])
}

/** Any text as a literal, where the language takes no parameter. */
export function literal(text: string): Sql {
  return Sql[made]([`'${harmless(text)}'`], [])
}

/** A table, column or database name: letters, digits and `_`, dots between names; throws on others. */
export function ident(name: string): Sql {
  if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name))
    throw new Error(`not an SQL identifier: ${JSON.stringify(name)}`)
  return Sql[made]([name], [])
}

/**
 * Writes a statement of a caller anew, so that it reads nothing but views of one project. What is sent to the engine is
 * made here, token by token: known words as they are, everything else as a quoted name, a literal or a parameter; so
 * the engine can't read it in another way than it was read here. Pure.
 *
 * It knows as much of the grammar as that takes: whether a value is expected or has just ended, which says if a word is
 * a name or part of the language; and where a table is expected, which must be a view or a name that a WITH gives.
 */
import { bind, join, literal, quoted, type Sql, sql, token } from '../../platform/clickhouse/sql.js'
import { sqlErrors } from './errors.js'
import { isFunction } from './functions.js'
import { type Token, tokensOf } from './lex.js'
import {
  AFTER_VALUE,
  BEFORE_BY,
  BEFORE_VALUE,
  BETWEEN_VALUES,
  ENDS_FROM,
  IN_PLACE_OF_VALUES,
  MISSED,
  SET_OPERATIONS,
  TYPES,
  VALUES,
} from './words.js'

/** What a statement may read, by name. */
export interface Views {
  names: readonly string[]
  /** a SELECT of the view's rows. @param only columns of these names are needed; default: all */
  select: (name: string, only?: ReadonlySet<string>) => Sql
  /** databases, whose tables are nobody's to name; in lower case */
  closed: ReadonlySet<string>
  /** a name as part of a statement: names of stored tables may need a note */
  named: (name: string) => Sql
}

export interface Rewritten {
  statement: Sql
  /** the views that it reads */
  views: readonly string[]
}

/** An open bracket, or the whole statement. */
interface Frame {
  /** a SELECT begins or began in it */
  isQuery: boolean
  /** of a function or a type: FROM is a word between its arguments there */
  isCall: boolean
  /** the first token of it is to come */
  isNew: boolean
  /** it stands where a table would */
  isTable: boolean
  /** several tables are joined in it */
  isJoin: boolean
  /** what has just ended in it is a query in brackets, with nothing before it */
  hasQuery: boolean
  /** right behind IN: a name in it would be a table's */
  isSet: boolean
  /** behind WINDOW, where names of windows are given */
  isWindow: boolean
  /** in a FROM clause: commas are between tables, or between the arrays of ARRAY JOIN */
  from: 'no' | 'tables' | 'arrays'
}

const MOST_TOKENS = 10_000
const MOST_TABLES = 50
const MOST_DEPTH = 100
/** Characters of all values of parameters. */
const MOST_VALUES = 2 ** 20

/**
 * @param params values of `{name:Type}`
 * @throws SQL_SYNTAX, SQL_FORBIDDEN, SQL_UNKNOWN_TABLE, SQL_PARAM
 */
export function rewrite(text: string, views: Views, params: Readonly<Record<string, unknown>>): Rewritten {
  return new Rewriter(text, views, params).run()
}

class Rewriter {
  readonly #tokens: Token[]
  readonly #out: Sql[] = []
  readonly #read = new Set<string>()
  /** Where a WITH names a query, and the names. */
  readonly #givers: ReadonlySet<Token>
  readonly #given: ReadonlySet<string>
  /** Every name that the statement says; undefined: a star may mean others. */
  readonly #names: ReadonlySet<string> | undefined
  readonly #frames: Frame[] = []
  /** Of parameters, by type and name: they may be long, and named often. */
  readonly #values = new Map<string, Sql>()
  #length = 0
  #at = 0
  #tables = 0
  /** A value may begin here; else one has just ended. */
  #value = true
  #table = false
  /** The place of the last token that was written as a word of the language, not as a name. */
  #wordAt = -1

  constructor(
    private readonly text: string,
    private readonly views: Views,
    private readonly params: Readonly<Record<string, unknown>>,
  ) {
    this.#tokens = tokensOf(text)
    this.#names = this.#tokens.some((one) => isSign(one, '*'))
      ? undefined
      : new Set(this.#tokens.filter(isName).map((one) => one.text))
    this.#givers = this.#namesGiven()
    this.#given = new Set([...this.#givers].map((one) => one.text))
  }

  run(): Rewritten {
    const [first] = this.#tokens
    if (first === undefined) throw sqlErrors.syntax(this.text, 0, 'the statement is empty')
    if (this.#tokens.length > MOST_TOKENS)
      throw sqlErrors.syntax(this.text, 0, `a statement has at most ${MOST_TOKENS} words and signs`)
    if (!isSign(first, '(') && !isWord(first, 'SELECT') && !isWord(first, 'WITH') && !isWord(first, 'FROM'))
      throw (
        this.#missed(first) ?? sqlErrors.syntax(this.text, first.at, 'a statement begins with SELECT or WITH')
      )
    this.#open({ isTable: false, isCall: false, isSet: false })
    while (this.#at < this.#tokens.length) this.#step()
    if (this.#frames.length > 1)
      throw sqlErrors.syntax(this.text, this.text.length, 'a bracket is not closed')
    // What the store adds to a statement would be taken for it.
    if (this.#table) throw sqlErrors.syntax(this.text, this.text.length, 'the name of a table is missing')
    return { statement: join(this.#out, sql``), views: [...this.#read] }
  }

  /** Names before AS and a query, whose query begins behind WITH or a comma. */
  #namesGiven(): Set<Token> {
    const names = new Set<Token>()
    this.#tokens.forEach((one, i) => {
      const [before, as, open, begin] = [-1, 1, 2, 3].map((step) => this.#tokens[i + step])
      if (!isName(one) || !isWord(as, 'AS') || !isSign(open, '(') || !beginsQuery(begin)) return
      if (!isWord(before, 'WITH') && !isWord(before, 'RECURSIVE') && !isSign(before, ',')) return
      if (this.views.names.includes(one.text))
        throw sqlErrors.forbidden(
          this.text,
          one.at,
          one.text,
          'it is the name of a table; call your query otherwise',
        )
      names.add(one)
    })
    return names
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!
  }

  #step(): undefined {
    const one = this.#tokens[this.#at]!
    const frame = this.#frame
    if (this.#table) return this.#tableHere(one)
    if (frame.isSet && frame.isNew && isName(one) && !beginsQuery(one) && !isSign(this.#next(1), '('))
      if (!VALUES.has(one.text.toUpperCase()) && !isTimeLiteral(one, this.#next(1))) throw this.#noSet(one)
    const wasNew = frame.isNew
    frame.isNew = false
    switch (one.kind) {
      case 'word':
        return this.#word(one, wasNew)
      case 'name':
        return this.#name(one)
      case 'text':
        return this.#constant(one, literal(one.text))
      case 'number':
        return this.#constant(one, token(one.text))
      case 'param':
        return this.#constant(one, this.#param(one))
      case 'sign':
        return this.#sign(one)
    }
  }

  #next(steps: number): Token | undefined {
    return this.#tokens[this.#at + steps]
  }

  /** Writes a token; no blank goes before or behind a dot. */
  #write(piece: Sql): undefined {
    const isTight = isSign(this.#tokens[this.#at], '.') || isSign(this.#next(-1), '.')
    this.#out.push(isTight ? piece : sql` ${piece}`)
    this.#at++
  }

  #constant(one: Token, piece: Sql): undefined {
    if (!this.#value)
      throw sqlErrors.syntax(this.text, one.at, 'an operator or a comma is missing before this value')
    this.#write(piece)
    this.#value = false
  }

  #param({ text: name, type = '', at }: Token): Sql {
    const parts = type.split(/[()]/).filter((part) => part !== '' && !/^\d$/.test(part))
    if (!parts.every((part) => TYPES.has(part)) || (parts.length > 1 && parts[0] !== 'Array'))
      throw sqlErrors.forbidden(
        this.text,
        at,
        `the type ${type}`,
        'a parameter is a text, a number, a time, or a list of such',
      )
    if (!Object.hasOwn(this.params, name)) throw sqlErrors.badParam(name, 'has no value; send it in params')
    const known = this.#values.get(`${type} ${name}`)
    if (known) return known
    const value = this.params[name]
    if (Array.isArray(value) !== (parts[0] === 'Array'))
      throw sqlErrors.badParam(name, `is not of the type ${type}`)
    this.#length += Array.isArray(value)
      ? value.reduce<number>((sum, one) => sum + String(one).length, 0)
      : String(value).length
    if (this.#length > MOST_VALUES)
      throw sqlErrors.badParam(name, `is too long: all values have at most ${MOST_VALUES} characters`)
    const bound = sql`${bind.typed(type, typeof value === 'boolean' ? Number(value) : value)}`
    this.#values.set(`${type} ${name}`, bound)
    return bound
  }

  #word(one: Token, isFirst: boolean): undefined {
    const upper = one.text.toUpperCase()
    const [before, after] = [this.#next(-1), this.#next(1)]
    if (isSign(before, '.') || isSign(after, '.')) return this.#name(one)
    if (isWord(before, 'AS') && !(this.#frame.isCall && this.#isType(one))) return this.#name(one)
    if (this.#value) {
      if (upper === 'FROM' && !(isFirst || this.#frame.isQuery)) return this.#name(one)
      if (BEFORE_VALUE.has(upper) && !(upper === 'EXISTS' && !isSign(after, '(')))
        return this.#keyword(one, upper)
      if (IN_PLACE_OF_VALUES.has(upper)) return this.#plain(upper, false)
      if (isSign(after, '(')) return this.#call(one)
      if (VALUES.has(upper)) return this.#constant(one, token(upper))
      if (upper === 'BY' && before?.kind === 'word' && BEFORE_BY.has(before.text.toUpperCase()))
        return this.#plain(upper, true)
      if (isTimeLiteral(one, after)) return this.#plain(upper, true)
      if (this.#isType(one)) return this.#plain(one.text, false)
      return this.#name(one)
    }
    // Without what belongs to them they would be aliases, and a FROM clause would go on.
    if (BEFORE_BY.has(upper) && !isWord(after, 'BY')) return this.#name(one)
    if (ENDS_FROM.has(upper) && !mayBeginValue(after)) return this.#name(one)
    if (BETWEEN_VALUES.has(upper)) return this.#keyword(one, upper)
    if (AFTER_VALUE.has(upper)) return this.#plain(upper, false)
    if (MISSED[upper] !== undefined) throw this.#missed(one)!
    return this.#name(one)
  }

  #plain(text: string, valueFollows: boolean): undefined {
    this.#wordAt = this.#at
    this.#write(token(text))
    this.#value = valueFollows
  }

  #keyword(one: Token, upper: string): undefined {
    const frame = this.#frame
    const before = this.#next(-1)
    const isBehindWord = this.#wordAt === this.#at - 1
    const isOfArrays = upper === 'JOIN' && isWord(before, 'ARRAY') && isBehindWord
    const is = isWord(before, 'NOT') ? this.#next(-2) : before
    if (upper === 'DISTINCT' && isWord(is, 'IS') && isBehindWord)
      throw sqlErrors.forbidden(this.text, one.at, 'IS DISTINCT FROM', 'compare with != and IS NULL')
    if (upper === 'SELECT' || upper === 'WITH') frame.isQuery ||= upper === 'SELECT' || beginsQuery(one)
    if (ENDS_FROM.has(upper)) {
      frame.from = 'no'
      frame.isWindow = upper === 'WINDOW'
    }
    this.#plain(upper, !this.#isHalf(upper))
    if (upper === 'FROM') {
      if (frame.isCall && !frame.isQuery && before !== undefined && !isSign(before, '(')) return
      frame.isQuery = true
      this.#fromTables('tables')
    } else if (upper === 'JOIN') {
      frame.isJoin = true
      this.#fromTables(isOfArrays ? 'arrays' : 'tables')
    } else if (SET_OPERATIONS.has(upper)) frame.isQuery ||= frame.hasQuery && isSign(before, ')')
    else if (upper === 'IN') this.#set()
  }

  /** NOT IN, GLOBAL JOIN, CASE WHEN, ROWS BETWEEN: a word follows, no value. */
  #isHalf(upper: string): boolean {
    const after = this.#next(1)
    if (upper === 'NOT' || upper === 'GLOBAL') return !this.#value
    if (upper === 'CASE') return isWord(after, 'WHEN')
    return (upper === 'ROWS' || upper === 'RANGE') && isWord(after, 'BETWEEN')
  }

  #fromTables(of: 'tables' | 'arrays'): void {
    this.#frame.from = of
    if (of === 'tables') this.#table = true
    else this.#noDots(this.#tokens[this.#at])
  }

  /** Behind IN a name would be a table's. */
  #set(): void {
    const one = this.#tokens[this.#at]
    if (one && isName(one) && !isSign(this.#next(1), '(')) throw this.#noSet(one)
  }

  #noSet(one: Token) {
    return sqlErrors.forbidden(this.text, one.at, `IN ${one.text}`, 'write IN (SELECT …), or IN (1, 2, 3)')
  }

  #noDots(one: Token | undefined): void {
    if (one && isName(one) && isSign(this.#next(1), '.'))
      throw sqlErrors.forbidden(
        this.text,
        one.at,
        `${one.text}.…`,
        'give the array a name of its own in a subquery',
      )
  }

  /** A function; in place of a type, a type. */
  #call(one: Token): undefined {
    const isType = this.#isType(one)
    if (!isType && !isFunction(one.text))
      throw sqlErrors.forbidden(
        this.text,
        one.at,
        `${one.text}()`,
        'it is no function of this language; see docs/guides/sql.md',
      )
    this.#write(token(one.text))
    this.#openBracket({ isTable: false, isCall: true, isSet: false })
  }

  /** Behind `::`, and in the second argument of CAST. */
  #isType(one: Token): boolean {
    return TYPES.has(one.text) || TYPES.has(one.text[0]!.toUpperCase() + one.text.slice(1).toLowerCase())
  }

  #name(one: Token): undefined {
    if (isSign(this.#next(1), '('))
      throw sqlErrors.forbidden(
        this.text,
        one.at,
        `${one.text}()`,
        'it is no function of this language; see docs/guides/sql.md',
      )
    const isFirst = isSign(this.#next(1), '.') && !isSign(this.#next(-1), '.')
    if (isFirst && this.views.closed.has(one.text.toLowerCase()))
      throw sqlErrors.forbidden(
        this.text,
        one.at,
        `${one.text}.…`,
        'databases have no names here; call your alias otherwise',
      )
    this.#write(this.#givers.has(one) ? given(one.text) : this.views.named(one.text))
    this.#value = false
  }

  #sign(one: Token): undefined {
    const { text } = one
    if (text === ';') throw sqlErrors.syntax(this.text, one.at, 'send one statement at a time')
    if (text === '(') return this.#bracket()
    if (text === '[') return this.#openBracket({ isTable: false, isCall: false, isSet: false })
    if (text === ')' || text === ']') {
      if (this.#frames.length === 1)
        throw sqlErrors.syntax(this.text, one.at, `this ${text} was never opened`)
      this.#close(one)
      this.#write(token(text))
      this.#value = false
      return
    }
    // A star is all columns where a value may begin.
    const isStar = text === '*' && this.#value
    this.#write(token(text))
    this.#value = !isStar
    if (text === '.') this.#value = true
    if (text !== ',') return
    const { from } = this.#frame
    if (from === 'tables') this.#table = this.#frame.isJoin = true
    else if (from === 'arrays') this.#noDots(this.#tokens[this.#at])
  }

  #bracket(): undefined {
    const before = this.#next(-1)
    const outer = this.#frame
    const isSet = isWord(before, 'IN') || (outer.isSet && isSign(before, '('))
    // What begins a window or a filter of an aggregate is no value.
    const isClause =
      isWord(before, 'OVER') || isWord(before, 'FILTER') || (outer.isWindow && isWord(before, 'AS'))
    this.#openBracket({ isTable: false, isCall: false, isSet })
    this.#value = !isClause
  }

  #openBracket(frame: Pick<Frame, 'isTable' | 'isCall' | 'isSet'>): undefined {
    this.#write(token(this.#tokens[this.#at]!.text))
    this.#open(frame)
    this.#value = true
  }

  #open(frame: Pick<Frame, 'isTable' | 'isCall' | 'isSet'>): void {
    if (this.#frames.length >= MOST_DEPTH)
      throw sqlErrors.syntax(
        this.text,
        this.#tokens[this.#at]?.at ?? 0,
        `brackets are nested more than ${MOST_DEPTH} deep`,
      )
    const none = { isQuery: false, isJoin: false, hasQuery: false, isWindow: false }
    this.#frames.push({ ...frame, ...none, isNew: true, from: 'no' })
  }

  /**
   * Ends a bracket. In place of a table it holds a query, in more brackets or not, or joined tables. Around anything else the
   * engine would see no table, and could read the FROM before it as a function.
   */
  #close(one: Token): void {
    const { isTable, isQuery, isJoin, hasQuery, from } = this.#frames.pop()!
    const isTables = from !== 'no' && (isJoin || (hasQuery && isSign(this.#next(-1), ')')))
    if (isTable && !isQuery && !isTables)
      throw sqlErrors.syntax(
        this.text,
        one.at,
        'brackets here hold a query or joined tables; leave them out around a single table',
      )
    if (isTable && this.#frame.isTable) this.#frame.hasQuery = !isJoin && !this.#frame.isJoin
  }

  /** Where a table is expected: a view, a name that a WITH gives, or a query in brackets. */
  #tableHere(one: Token): undefined {
    if (isSign(one, '(')) {
      this.#openBracket({ isTable: true, isCall: false, isSet: false })
      const first = this.#tokens[this.#at]
      this.#table = isSign(first, '(') || !beginsQuery(first)
      if (this.#table) this.#frame.from = 'tables'
      return
    }
    if (!isName(one)) throw sqlErrors.syntax(this.text, one.at, 'the name of a table is expected here')
    if (isSign(this.#next(1), '('))
      throw sqlErrors.forbidden(
        this.text,
        one.at,
        `${one.text}()`,
        'functions that make tables are not there',
      )
    const { names } = this.views
    const isView = names.includes(one.text)
    if (isSign(this.#next(1), '.') || !(isView || this.#given.has(one.text))) {
      const whole = isSign(this.#next(1), '.') ? `${one.text}.${this.#next(2)?.text ?? ''}` : one.text
      throw sqlErrors.unknownTable(this.text, one.at, whole, [...names, ...this.#given])
    }
    this.#table = false
    this.#frame.isNew = false
    this.#value = false
    if (!isView) return this.#writeTable(one, given(one.text))
    this.#read.add(one.text)
    if (++this.#tables > MOST_TABLES)
      throw sqlErrors.syntax(
        this.text,
        one.at,
        `a statement names at most ${MOST_TABLES} tables; read one once, in a WITH`,
      )
    return this.#writeTable(one, sql`(${this.views.select(one.text, this.#names)})`)
  }

  /** Writes what stands for a table, under the table's name unless the statement gives it another. */
  #writeTable(one: Token, rows: Sql): undefined {
    this.#write(this.#hasAlias() ? rows : sql`${rows} AS ${this.views.named(one.text)}`)
  }

  /** Whether the table at this place is given a name. */
  #hasAlias(): boolean {
    const after = this.#next(1)
    if (after === undefined || !isName(after)) return false
    const upper = after.text.toUpperCase()
    if (after.kind === 'name' || upper === 'AS') return true
    return !BETWEEN_VALUES.has(upper) && !AFTER_VALUE.has(upper) && MISSED[upper] === undefined
  }

  #missed(one: Token) {
    const why = one.kind === 'word' ? MISSED[one.text.toUpperCase()] : undefined
    return why === undefined ? undefined : sqlErrors.forbidden(this.text, one.at, one.text.toUpperCase(), why)
  }
}

/** A name that a WITH gives, as no stored table is called: where it is not known, nothing is read. */
const given = (name: string) => quoted(`with ${name}`)
const isSign = (one: Token | undefined, text: string) => one?.kind === 'sign' && one.text === text
const isWord = (one: Token | undefined, upper: string) =>
  one?.kind === 'word' && one.text.toUpperCase() === upper
const isName = (one: Token) => one.kind === 'word' || one.kind === 'name'
const beginsQuery = (one: Token | undefined) =>
  isWord(one, 'SELECT') || isWord(one, 'WITH') || isWord(one, 'FROM') || isSign(one, '(')
const mayBeginValue = (one: Token | undefined) =>
  one !== undefined && (one.kind !== 'sign' || '([-+*'.includes(one.text))
/** `DATE '2026-01-01'` */
const isTimeLiteral = (one: Token, after: Token | undefined) =>
  /^(?:DATE|TIMESTAMP)$/i.test(one.text) && after?.kind === 'text'

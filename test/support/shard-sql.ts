/**
 * What the statements of a cluster become where its tables are played by two single servers: pure text. Replicated
 * engines become plain ones on both, `ON CLUSTER` means both, a Distributed table becomes a view to read from and a
 * table to insert into, and what a view can't do (FINAL, PREWHERE) is said otherwise.
 */

/** One statement of a cluster, as two servers do it. */
export type Plan =
  /** a Distributed table over `local`, spread by `key` */
  | { kind: 'spread'; table: string; local: string; key: string }
  /** `text` on both servers */
  | { kind: 'both'; text: string }
  /** `text` on the server that was asked */
  | { kind: 'one'; text: string }

const SPREAD =
  /^CREATE (?:OR REPLACE )?TABLE (?:IF NOT EXISTS )?(\w+) ON CLUSTER '\w+' AS (\w+)\s+ENGINE = Distributed\('\w+', currentDatabase\(\), '\w+', (.+)\)$/s
const ENGINE = /\bReplicated(\w*MergeTree)\('[^']*', '[^']*'(?:, ([^()]*(?:\([^()]*\))?[^()]*))?\)/

/** @param spread names of the tables that lie over both servers */
export function planOf(statement: string, spread: ReadonlySet<string>): Plan {
  const text = statement.trim()
  const [, table, local, key] = SPREAD.exec(text) ?? []
  if (table && local && key) return { kind: 'spread', table, local, key }
  if (/^\w[^(]*? ON CLUSTER '?\w+'?/.test(text) && !/^(SELECT|INSERT)\b/.test(text)) {
    const plain = text
      .replace(/ ON CLUSTER '?\w+'?/, '')
      .replace(ENGINE, (_, kind, args) => `${kind}(${args ?? ''})`)
    return { kind: 'both', text: plain }
  }
  const [, into] = /^INSERT INTO (\w+)/.exec(text) ?? []
  if (into && spread.has(into)) {
    return { kind: 'one', text: readable(text.replace(into, `${into}_in`), spread) }
  }
  return into ? { kind: 'both', text } : { kind: 'one', text: readable(text, spread) }
}

/** `text` for tables that are views. */
function readable(text: string, spread: ReadonlySet<string>): string {
  const plain = text.replaceAll(/\b(\w+) FINAL\b/g, (all, table) => (spread.has(table) ? table : all))
  return plain.includes('PREWHERE ') ? withoutPrewhere(plain) : plain
}

/** `PREWHERE a WHERE b` as `WHERE a AND b`. */
function withoutPrewhere(text: string): string {
  const at = text.indexOf('PREWHERE ')
  if (at < 0) return text
  const from = at + 'PREWHERE '.length
  let depth = 0
  for (let i = from; i < text.length; i++) {
    if (text[i] === "'") i = text.indexOf("'", i + 1)
    else if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth < 0) break
    else if (depth === 0 && text.startsWith(' WHERE ', i)) {
      const rest = `${text.slice(from, i)} AND ${text.slice(i + ' WHERE '.length)}`
      return withoutPrewhere(`${text.slice(0, at)}WHERE ${rest}`)
    }
  }
  return withoutPrewhere(`${text.slice(0, at)}WHERE ${text.slice(from)}`)
}

/**
 * Splits a `.sql` file into statements, without comments. Knows ClickHouse's syntax for strings, quoted names, heredocs
 * and comments; nothing of what statements mean.
 */

/**
 * One alternative per lexical form, tried at each position. Quotes are escaped by doubling (two adjacent strings, as
 * far as splitting goes) or by a backslash.
 */
const FORMS =
  /(?<comment>--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\/)|(?<quoted>'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|\$(\w*)\$[\s\S]*?\$\3\$)|(?<end>;)|(?<open>['"`]|\/\*|\$\w*\$)/g

/** The statements of `text` in order. Throws if a string, a name or a comment is not closed. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  let at = 0
  for (const match of text.matchAll(FORMS)) {
    const { comment, quoted, open } = match.groups!
    if (open !== undefined) {
      const line = text.slice(0, match.index).split('\n').length
      throw new Error(`${open} in line ${line} is never closed`)
    }
    statement += text.slice(at, match.index)
    at = match.index + match[0].length
    if (quoted !== undefined) statement += quoted
    else if (comment !== undefined) statement += ' '
    else {
      statements.push(tidy(statement))
      statement = ''
    }
  }
  statements.push(tidy(statement + text.slice(at)))
  return statements.filter((one) => one !== '')
}

/** Drops the trailing blanks that comments leave behind. */
function tidy(statement: string): string {
  return statement.replaceAll(/[ \t]+$/gm, '').trim()
}

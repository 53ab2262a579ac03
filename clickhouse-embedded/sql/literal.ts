/** Values and names as SQL text that no value can break out of. Knows nothing of queries. */

const plain = /[A-Za-z0-9]/
const settingName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * A string literal in which every byte but letters and digits is written as `\xHH`, so that no quote,
 * escape, comment or line end of the value reaches the parser.
 */
export function literal(value: string): string {
  let text = "'"
  for (const byte of Buffer.from(value, 'utf8')) {
    const char = String.fromCharCode(byte)
    text += plain.test(char) ? char : `\\x${byte.toString(16).padStart(2, '0')}`
  }
  return `${text}'`
}

/** A back-quoted identifier, escaped like {@link literal}. */
export function identifier(name: string): string {
  return `\`${literal(name).slice(1, -1)}\``
}

/** True where a name may stand left of `=` in SET. */
export function isSettingName(name: string): boolean {
  return settingName.test(name)
}

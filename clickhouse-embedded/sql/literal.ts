/** Values and names as SQL text that no value can break out of. */

/** Bytes that stand for themselves; every other one, quotes, escapes and line ends first, is `\xHH`. */
const plain = /[A-Za-z0-9_.,:/ -]/
const written = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return plain.test(char) ? char : `\\x${byte.toString(16).padStart(2, '0')}`
})
const allPlain = /^[A-Za-z0-9_.,:/ -]*$/
const settingName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A quoted string that means `value`, whatever is in it. */
export function literal(value: string): string {
  if (allPlain.test(value)) return `'${value}'`
  let text = "'"
  for (const byte of Buffer.from(value, 'utf8')) text += written[byte]
  return `${text}'`
}

/** A back-quoted identifier, written like {@link literal}. */
export function identifier(name: string): string {
  return `\`${literal(name).slice(1, -1)}\``
}

/** True where a name may stand left of `=` in SET. */
export function isSettingName(name: string): boolean {
  return settingName.test(name)
}

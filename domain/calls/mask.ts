/**
 * Masks personal data in texts, in place: each character becomes `*`, so that no length, offset or JSON changes. Finds
 * e-mail addresses, numbers of payment cards and bank accounts, US social security numbers, and phone numbers as they
 * are usually written; names and postal addresses it can't know. Knows nothing of spans or calls.
 */
const STAR = 0x2a
const QUOTE = 0x22
const BACKSLASH = 0x5c
const AT = 0x40
const LETTER_U = 0x75
/** The longest part of an address before its `@`, and after. */
const MOST_LOCAL = 64
const MOST_DOMAIN = 253

const LOCAL = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._%+-'))
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}/i

/** Before a number: the start, what is no part of a word, or the escape of a control character in JSON. */
const BEFORE = String.raw`(?<=^|[^\w.+-]|\\[nrtbf])`
const AFTER = String.raw`(?![\w-])`
const NUMBERS: readonly { pattern: RegExp; isOne: (text: string) => boolean }[] = [
  {
    pattern: new RegExp(String.raw`${BEFORE}[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}${AFTER}`, 'g'),
    isOne: isCard,
  },
  { pattern: new RegExp(String.raw`${BEFORE}3\d{3}[ -]?\d{6}[ -]?\d{5}${AFTER}`, 'g'), isOne: isCard },
  {
    pattern: new RegExp(
      String.raw`${BEFORE}[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?${AFTER}`,
      'g',
    ),
    isOne: isAccount,
  },
  {
    pattern: new RegExp(String.raw`${BEFORE}(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}${AFTER}`, 'g'),
    isOne: () => true,
  },
  { pattern: new RegExp(String.raw`${BEFORE}\d{3}[-.]\d{3}[-.]\d{4}${AFTER}`, 'g'), isOne: () => true },
  {
    pattern: new RegExp(String.raw`${BEFORE}(?:\+?1[ .-]?)?\(\d{3}\) ?\d{3}[-. ]\d{4}${AFTER}`, 'g'),
    isOne: () => true,
  },
  {
    pattern: new RegExp(String.raw`${BEFORE}\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,5}${AFTER}`, 'g'),
    isOne: isPhone,
  },
]

/** Masks what is found in `buf[from, to)`, which is UTF-8 text, plain or inside a JSON string. */
export function maskText(buf: Buffer, from: number, to: number): void {
  for (let at = buf.indexOf(AT, from); at >= 0 && at < to; at = buf.indexOf(AT, at + 1))
    maskAddress(buf, from, at, to)
  const text = buf.toString('latin1', from, to)
  for (const { pattern, isOne } of NUMBERS)
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
      if (isOne(match[0])) buf.fill(STAR, from + match.index, from + pattern.lastIndex)
}

/** Masks what is found in the strings of the JSON text `buf`; a text that is no JSON stays none. */
export function maskJson(buf: Buffer): void {
  let from = -1
  for (let at = buf.indexOf(QUOTE); at >= 0; at = buf.indexOf(QUOTE, at + 1)) {
    if (from < 0) from = at + 1
    else if (!isEscaped(buf, from, at)) {
      maskText(buf, from, at)
      from = -1
    }
  }
}

/** True if an odd number of backslashes precedes `at`. */
function isEscaped(buf: Buffer, from: number, at: number): boolean {
  let before = at
  while (before > from && buf[before - 1] === BACKSLASH) before--
  return (at - before) % 2 === 1
}

/** Masks the address around the `@` at `at`, if it is one. */
function maskAddress(buf: Buffer, from: number, at: number, to: number): void {
  let start = at
  const first = Math.max(from, at - MOST_LOCAL)
  while (start > first && LOCAL.has(buf[start - 1]!) && !isOfEscape(buf, from, start - 1)) start--
  if (start === at) return
  const domain = DOMAIN.exec(buf.toString('latin1', at + 1, Math.min(to, at + 1 + MOST_DOMAIN)))
  if (domain) buf.fill(STAR, start, at + 1 + domain[0].length)
}

/** True if the byte at `at` belongs to an escape of JSON, `\n` or `\u00e9`, which must stay whole. */
function isOfEscape(buf: Buffer, from: number, at: number): boolean {
  if (isEscaped(buf, from, at)) return true
  for (let back = 1; back <= 4 && at - back > from; back++)
    if (buf[at - back] === LETTER_U && isEscaped(buf, from, at - back)) return true
  return false
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** By the check digit of payment cards (Luhn). */
function isCard(text: string): boolean {
  const digits = digitsOf(text)
  if (digits.length < 13 || digits.length > 19) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const twice = digit * 2
    sum += i % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice
  }
  return sum % 10 === 0
}

/** By the check digits of an IBAN (ISO 7064, mod 97). */
function isAccount(text: string): boolean {
  const letters = text.replaceAll(' ', '')
  if (letters.length < 15 || letters.length > 34) return false
  const turned = `${letters.slice(4)}${letters.slice(0, 4)}`
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** An international number has 8 to 15 digits (E.164). */
function isPhone(text: string): boolean {
  const { length } = digitsOf(text)
  return length >= 8 && length <= 15
}

/**
 * What is recognized by itself: addresses, numbers with check digits, keys. The one definition of each.
 * Names and postal addresses it can't know.
 */
import { isIPv6 } from 'node:net'
import type { DetectorName } from '../../contract/masking.js'
import { everyMatch, type Found, findCredentials } from './credential-forms.js'

export interface Detector {
  /** what stands in the place of a match */
  label: string
  /**
   * Is found in every text with a match, near its start, whatever stands around it. Cheap, and true of some other texts
   * too.
   */
  hint: RegExp
  find(text: string, found: Found): void
}

/** The longest part of an address before its `@`, and after. */
const MOST_LOCAL = 64
const MOST_DOMAIN = 253
const LOCAL = /[\w.%+-]/
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}/i

/** What JSON has after a backslash. */
const ESCAPED = /[bfnrt"\\/]/
const HEX = /^[\da-f]{4}$/i

/** Before a number: the start, what is no part of a word, or the escape of a control character in JSON. */
const BEFORE = String.raw`(?<=^|[^\w.+-]|\\[nrtbf])`
const AFTER = String.raw`(?![\w-])`

const CARDS = [
  new RegExp(String.raw`${BEFORE}[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}${AFTER}`, 'g'),
  new RegExp(String.raw`${BEFORE}3\d{3}[ -]?\d{6}[ -]?\d{5}${AFTER}`, 'g'),
]
const IBAN = new RegExp(
  String.raw`${BEFORE}[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?${AFTER}`,
  'g',
)
const US_SSN = new RegExp(String.raw`${BEFORE}(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}${AFTER}`, 'g')
const US_PHONES = [
  new RegExp(String.raw`${BEFORE}\d{3}[-.]\d{3}[-.]\d{4}${AFTER}`, 'g'),
  new RegExp(String.raw`${BEFORE}(?:\+?1[ .-]?)?\(\d{3}\) ?\d{3}[-. ]\d{4}${AFTER}`, 'g'),
]
const PHONE = new RegExp(String.raw`${BEFORE}\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,5}${AFTER}`, 'g')
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const IP4 = new RegExp(`(?<![\\w.])(?:${OCTET}\\.){3}${OCTET}(?![\\w]|\\.\\d)`, 'g')
const IP6 = /(?<![\w:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi

export const detectors: Readonly<Record<DetectorName, Detector>> = {
  // The first label of the domain, or so much of it that chance did not make it.
  email: {
    label: 'EMAIL',
    hint: /[\w.%+-]@[A-Za-z0-9](?:[A-Za-z0-9-]{0,9}\.|[A-Za-z0-9-]{10})/,
    find: findAddresses,
  },
  phone: {
    label: 'PHONE',
    hint: /\d{3}[-.]\d{3}[-.]\d{4}|\(\d{3}\) ?\d{3}|\+[1-9][\d .()-]{5}/,
    find: (text, found) => {
      everyMatch(US_PHONES)(text, found)
      everyMatch([PHONE], isPhone)(text, found)
    },
  },
  card: { label: 'CARD', hint: /[2-6](?:[ -]?\d){11}/, find: everyMatch(CARDS, isCard) },
  iban: { label: 'IBAN', hint: /[A-Z]{2}\d{2} ?[A-Z0-9]{4}/, find: everyMatch([IBAN], isAccount) },
  us_ssn: { label: 'SSN', hint: /\d{3}-\d{2}-\d{4}/, find: everyMatch([US_SSN]) },
  ip: {
    label: 'IP',
    hint: /\d\.\d{1,3}\.\d{1,3}\.\d|::|(?:[\da-fA-F]{1,4}:){3}/,
    find: (text, found) => {
      everyMatch([IP4])(text, found)
      everyMatch([IP6], isAddress6)(text, found)
    },
  },
  key: {
    label: 'KEY',
    hint: /sk-[\w-]{9}|[spr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|A[KS]IA[A-Z0-9]{9}|AIza|xox[abeprs]-|h[fk]_[A-Za-z0-9]{9}|npm_[A-Za-z0-9]{9}|eyJ[\w-]{9}|-----BEGIN|PRIVATE KEY-----|DEK-Info:/,
    find: findCredentials,
  },
}

const HINTS = Object.values(detectors)
  .map(({ hint }) => hint.source)
  .join('|')
/** The hints of all detectors. */
export const anyHint = new RegExp(HINTS)

function findAddresses(text: string, found: Found): void {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at
    const first = Math.max(0, at - MOST_LOCAL)
    while (start > first && LOCAL.test(text[start - 1]!) && !isOfEscape(text, start - 1)) start--
    if (start === at) continue
    const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + MOST_DOMAIN))
    if (domain) found(start, at + 1 + domain[0].length)
  }
}

/** True if an odd number of backslashes precedes `at`. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (before > 0 && text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

/** True if the character at `at` belongs to an escape of JSON in the text, `\n` or `\u00e9`, which must stay whole. */
function isOfEscape(text: string, at: number): boolean {
  if (isEscaped(text, at))
    return text[at] === 'u' ? HEX.test(text.slice(at + 1, at + 5)) : ESCAPED.test(text[at]!)
  for (let back = 1; back <= 4 && at - back > 0; back++)
    if (text[at - back] === 'u' && isEscaped(text, at - back))
      return HEX.test(text.slice(at - back + 1, at - back + 5))
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
  // Written in groups, as no account is that has hardly a digit.
  if (letters !== text && !/\d(?: ?\d){8}/.test(text)) return false
  const turned = `${letters.slice(4)}${letters.slice(0, 4)}`
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** An international number has 8 to 15 digits (E.164). */
function isPhone(text: string): boolean {
  const { length } = digitsOf(text)
  return length >= 8 && length <= 15
}

/** Not `::`, which programs write for other things. */
function isAddress6(text: string): boolean {
  return isIPv6(text) && text.replace(/:/g, '').length >= 2
}

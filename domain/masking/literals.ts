/**
 * Words that stand in every match of a pattern, so that what has none of them need not be looked at. Only such that JSON
 * writes as they are, or by `\u00`. Pure; knows less than RE2 and says nothing where it doesn't know.
 */

/** A word that a match has in it. */
export interface Literal {
  /** ASCII, without quotes, slashes and backslashes; small letters if it {@link isFolded} */
  text: string
  /** whether capital letters are small ones */
  isFolded: boolean
}

/** Shorter ones are everywhere; what is behind so many characters tells no more. */
const LEAST = 3
const MOST = 16
const PLAIN = /[\w !#%&',:;<=>@`~-]/
/** Behind a backslash, as they are. */
const PUNCTUATION = /[!#$%&'()*+,.:;<=>?@[\]^`{|}~ -]/
/** Behind a backslash: a class of characters, or one that JSON writes otherwise; and a place. */
const OTHERS = /[dDsSwW"/\\]/
const PLACE = /[bBAz]/
/** Times, from which on it need not be there. */
const OPTIONAL = /^(?:[?*]|\{0)/
const TIMES = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/
/** Which letters are more than two: the sign of Kelvin is a k, the long s is an s. */
const MANY_CASES = /[ks]/i

/** Words one of which is in every match of the pattern; undefined: it can't be said. */
export function literalsOf(pattern: string, ignoreCase: boolean): readonly Literal[] | undefined {
  const found: Literal[] = []
  let best = ''
  let run = ''
  let at = 0
  const ends = () => {
    if (run.length > best.length) best = run
    run = ''
  }
  const alternative = () => {
    ends()
    if (best.length < LEAST) return false
    const text = best.slice(0, MOST)
    found.push({ text: ignoreCase ? text.toLowerCase() : text, isFolded: ignoreCase })
    best = ''
    return true
  }
  while (at < pattern.length) {
    const one = pattern[at]!
    let letter: string | undefined
    let isPlace = false
    if (one === '|') {
      if (!alternative()) return undefined
      at++
      continue
    }
    if (one === '(' || one === '[') {
      const end = one === '(' ? groupEnd(pattern, at) : classEnd(pattern, at)
      if (end === undefined) return undefined
      at = end
    } else if (one === '\\') {
      const next = pattern[at + 1] ?? ''
      if (PUNCTUATION.test(next)) letter = next
      else if (PLACE.test(next)) isPlace = true
      else if (!OTHERS.test(next)) return undefined
      at += 2
    } else {
      if (one === '^' || one === '$') isPlace = true
      else if (PLAIN.test(one)) letter = one
      else if (/[)*+?{}\]]/.test(one)) return undefined
      at += one.charCodeAt(0) >= 0xd800 && one.charCodeAt(0) < 0xdc00 ? 2 : 1
    }
    const times = TIMES.exec(pattern.slice(at))?.[0]
    if (isPlace && times === undefined) continue
    const isThere = letter !== undefined && !(ignoreCase && MANY_CASES.test(letter))
    if (isThere && !(times !== undefined && OPTIONAL.test(times))) run += letter
    if (!isThere || times !== undefined) ends()
    at += times?.length ?? 0
  }
  return alternative() ? found : undefined
}

/** The same of names: of each its longest word of letters that stay as they are. */
export function literalsOfNames(
  names: readonly string[],
  ignoreCase: boolean,
): readonly Literal[] | undefined {
  const found: Literal[] = []
  for (const name of names) {
    const words = (ignoreCase ? name.match(/[a-jl-rt-z]+/gi) : name.match(/[a-z]+/gi)) ?? []
    const text = words.reduce((best, word) => (word.length > best.length ? word : best), '').slice(0, MOST)
    if (text.length < LEAST) return undefined
    found.push({ text: ignoreCase ? text.toLowerCase() : text, isFolded: ignoreCase })
  }
  return found.length > 0 ? found : undefined
}

/** Behind the class of characters that begins at `from`; undefined: it is written in a way that this doesn't know. */
function classEnd(pattern: string, from: number): number | undefined {
  let at = from + 1
  if (pattern[at] === '^') at++
  if (pattern[at] === ']') at++
  for (; at < pattern.length && pattern[at] !== ']'; at++) {
    if (pattern[at] === '[') return undefined
    if (pattern[at] === '\\') at++
  }
  return at < pattern.length ? at + 1 : undefined
}

/** The same of a group, whatever is in it. */
function groupEnd(pattern: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < pattern.length; at++) {
    const one = pattern[at]
    if (one === '[') {
      const end = classEnd(pattern, at)
      if (end === undefined) return undefined
      at = end - 1
    } else if (one === '\\') {
      const next = pattern[at + 1] ?? ''
      if (![PUNCTUATION, PLACE, OTHERS].some((these) => these.test(next))) return undefined
      at++
    } else if (one === '(') {
      // Flags hold beyond their group.
      if (pattern[at + 1] === '?' && pattern[at + 2] !== ':') return undefined
      depth++
    } else if (one === ')' && --depth === 0) return at + 1
  }
  return undefined
}

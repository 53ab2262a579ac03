/**
 * The forms of credentials: the one list, for masking, which changes what is stored, and for links, which leave things out
 * of what is shown.
 */

/** Is told where something is, `[from, to)`. */
export type Found = (from: number, to: number) => void
type Find = (text: string, found: Found) => void

/** What is certain: keys and tokens, by how their issuers let them begin. A key that is part of a longer word is found too. */
const KEYS = [
  // Not the end of a word such as risk-of-something.
  /(?<=^|[^A-Za-z0-9]|\\[nrtbf])sk-(?=[\w-]{0,60}\d)[\w-]{20,300}/g,
  /(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,200}/g,
  /gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{22,255}|glpat-[\w-]{20,300}/g,
  /(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{35}|xox[abeprs]-[\w-]{12,300}/g,
  /hf_[A-Za-z0-9]{30,100}|hk_[A-Za-z0-9]{43}|npm_[A-Za-z0-9]{36}/g,
  /eyJ[\w-]{14,4000}\.[\w-]{10,20000}\.[\w-]{5,1000}/g,
]
const PEM = '-----BEGIN'
const PEM_HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/y
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/g
/** A key that is cut off is masked so far. */
const MOST_PEM = 16_384

/** What is likely: good enough to leave it out of what is shown, and not to change what is stored for it. */
const LIKELY = [
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{20,}/g,
  /\bgh[opsur]_[A-Za-z0-9]{30,}|\bxox[a-z]-[A-Za-z0-9-]{10,}/g,
  /\bwhsec_[A-Za-z0-9+/]{24,}={0,2}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /(?<=\b(?:bearer|basic) {1,4})[A-Za-z0-9._~+/-]{16,}={0,2}/gi,
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"]{0,100}:)[^\s/:@"]{1,200}(?=@)/gi,
]

/** Finds what matches one of these patterns, which have the flag `g`, and is one. */
export const everyMatch =
  (patterns: readonly RegExp[], isOne: (text: string) => boolean = () => true): Find =>
  (text, found) => {
    for (const pattern of patterns) {
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
        if (isOne(match[0])) found(match.index, pattern.lastIndex)
    }
  }

/** Finds what certainly is a credential. */
export function findCredentials(text: string, found: Found): void {
  everyMatch(KEYS)(text, found)
  findPem(text, found)
}

/** The text with `instead` in the place of what certainly or likely is a credential. */
export function withoutCredentials(text: string, instead: string): string {
  const places: [from: number, to: number][] = []
  findCredentials(text, (from, to) => places.push([from, to]))
  everyMatch(LIKELY)(text, (from, to) => places.push([from, to]))
  places.sort(([a], [b]) => a - b)
  let [left, end] = ['', 0]
  for (const [from, to] of places) {
    if (from >= end) left += text.slice(end, from) + instead
    end = Math.max(end, to)
  }
  return left + text.slice(end)
}

function findPem(text: string, found: Found): void {
  for (let at = text.indexOf(PEM); at >= 0; at = text.indexOf(PEM, at)) {
    PEM_HEAD.lastIndex = at
    const head = PEM_HEAD.exec(text)
    if (head === null) {
      at += PEM.length
      continue
    }
    PEM_END.lastIndex = at
    const end = PEM_END.exec(text.length - at > MOST_PEM ? text.slice(0, at + MOST_PEM) : text)
    const to = end ? end.index + end[0].length : Math.min(text.length, at + MOST_PEM)
    found(at, to)
    at = to
  }
}

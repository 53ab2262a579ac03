/** Matches users' patterns in linear time, whatever they are: no look-around, no back-references. */
import { RE2JS } from 're2js'

const PATTERN_LIMIT = 10_000

export interface Pattern {
  /** true if the pattern occurs in `text` or, with `whole`, matches all of it */
  test(text: string, whole?: boolean): boolean
}

/** @throws Error that describes what is wrong with the pattern */
export function pattern(text: string, ignoreCase = false): Pattern {
  if (text.length > PATTERN_LIMIT) throw new Error(`a pattern has at most ${PATTERN_LIMIT} characters`)
  const compiled = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  return {
    test(subject, whole = false) {
      const matcher = compiled.matcher(subject)
      return whole ? matcher.matches() : matcher.find()
    },
  }
}

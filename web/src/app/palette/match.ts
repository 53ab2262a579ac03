/** How well what somebody types fits a name: its letters in their order, the better the closer together. Pure. */

interface Match {
  /** the higher, the better */
  score: number
  /** positions of the letters in the name */
  at: readonly number[]
}

/** Longer names are looked at as far as this, and longer texts fit nothing: what is typed in takes no time that is felt. */
const [MOST, LONGEST] = [200, 60]

const [IN_A_ROW, AT_A_WORD, AT_THE_START, WHOLE_WORDS] = [6, 8, 6, 20]

const isWordStart = (name: string, at: number) =>
  at === 0 || /[\s/_.:-]/.test(name[at - 1]!) || (/[a-z]/.test(name[at - 1]!) && /[A-Z]/.test(name[at]!))

/** undefined: the letters of `typed` do not stand in `name` in this order. Spaces may stand for anything. */
export function matchOf(typed: string, name: string): Match | undefined {
  const letters = typed.toLowerCase().replaceAll(/\s+/g, '')
  if (letters === '') return { score: 0, at: [] }
  if (letters.length > LONGEST) return undefined
  const shown = name.slice(0, MOST)
  const lower = [...shown].map((letter) => letter.toLowerCase()[0]!)
  const text = typed.trim().toLowerCase()
  const piece = lower.join('').indexOf(text)
  let best: Match | undefined
  if (piece >= 0) {
    const at = Array.from(text, (_, i) => piece + i)
    best = { at, score: scoreOf(at, shown) + (isWordStart(shown, piece) ? WHOLE_WORDS : 0) }
  }
  for (const [start, letter] of lower.entries()) {
    if (letter !== letters[0]) continue
    const at = placesFrom(start, letters, shown, lower)
    // From a later one there are still fewer letters.
    if (at === undefined) break
    const score = scoreOf(at, shown)
    if (best === undefined || score > best.score) best = { score, at }
  }
  return best
}

/** Where the letters stand from `start` on: the next place of each, the beginning of a word rather than within one. */
function placesFrom(
  start: number,
  letters: string,
  name: string,
  lower: readonly string[],
): number[] | undefined {
  const at = [start]
  for (let i = 1; i < letters.length; i++) {
    const from = at.at(-1)! + 1
    const next = lower.indexOf(letters[i]!, from)
    if (next < 0) return undefined
    const word = lower.findIndex((letter, j) => j > next && letter === letters[i] && isWordStart(name, j))
    // Only if what is left of the text still stands behind it.
    const takes = next !== from && word >= 0 && hasInOrder(letters.slice(i + 1), lower, word + 1)
    at.push(takes ? word : next)
  }
  return at
}

function hasInOrder(letters: string, lower: readonly string[], from: number): boolean {
  let at = from
  for (const letter of letters) {
    const next = lower.indexOf(letter, at)
    if (next < 0) return false
    at = next + 1
  }
  return true
}

function scoreOf(at: readonly number[], name: string): number {
  let score = at[0] === 0 ? AT_THE_START : 0
  for (const [i, place] of at.entries()) {
    if (i > 0 && place === at[i - 1]! + 1) score += IN_A_ROW
    if (isWordStart(name, place)) score += AT_A_WORD
  }
  // Of two that fit alike, the shorter one is meant.
  return score - name.length / MOST
}

/** Those that fit, the best first; of those that fit alike, the earlier one. All of them, if nothing is typed. */
export function ranked<Item>(typed: string, items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return items
    .flatMap((item) => {
      const match = matchOf(typed, nameOf(item))
      return match ? [{ item, score: match.score }] : []
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

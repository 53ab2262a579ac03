/** The word that somebody may have meant. Pure. */

/** A third of its letters may be wrong. */
const SHARE = 3

/** The most similar of `words`; undefined: none is similar. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const given = word.slice(0, 100).toLowerCase()
  const most = Math.max(1, Math.floor(given.length / SHARE))
  const [best] = words
    .map((one) => ({ one, changes: changesBetween(given, one.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes)
  return best?.one
}

/** Letters to add, to take away or to change (Levenshtein), two neighbours that change places counting as two. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

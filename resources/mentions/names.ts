/** The names in a note: `@ada`, `@ada@example.com`. Pure. */

/** Names in a note that are looked for. */
const MOST = 20
/** What may be before the `@` of a name is no part of a word or an address. */
const NAME = /(?<![\w.@%+-])@([\p{L}\p{N}_][\p{L}\p{N}_.+-]{0,99}(?:@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]+)?)/gu

/** What may be meant, in lower case, each once: a name at the end of a sentence is no name with a full stop. */
export function namesIn(note: string): string[] {
  const found = new Set<string>()
  for (const [, name = ''] of note.matchAll(NAME)) {
    found.add(name.toLowerCase())
    found.add(name.toLowerCase().replace(/[.+-]+$/, ''))
    if (found.size >= 2 * MOST) break
  }
  return [...found]
}

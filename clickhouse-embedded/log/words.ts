/** Whole words in a statement. Pure. */

/** True if `word`, which stands at `at`, is no part of a longer one. */
export function isWordAt(text: string, at: number, word: string): boolean {
  return !isPart(text.charAt(at - 1)) && !isPart(text.charAt(at + word.length))
}

function isPart(letter: string): boolean {
  return /\w/.test(letter)
}

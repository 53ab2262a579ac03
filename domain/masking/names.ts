/** Finds names of a list in texts: whole words, in one pass, however long the list is. */
import type { Found } from './credential-forms.js'

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu
const GAP = /^[\s.]{1,3}$/

/** By their first word, the names, each as its words; the longest first. */
export class Names {
  private readonly byFirst = new Map<string, string[][]>()
  private readonly fold: (word: string) => string

  /** @param ignoreCase whether `ann` is `Ann` */
  constructor(names: readonly string[], ignoreCase: boolean) {
    this.fold = ignoreCase ? (word) => word.toLowerCase() : (word) => word
    for (const name of names) {
      const words = (name.match(WORD) ?? []).map(this.fold)
      if (words.length === 0) continue
      const alike = this.byFirst.get(words[0]!)
      if (alike) alike.push(words)
      else this.byFirst.set(words[0]!, [words])
    }
    for (const alike of this.byFirst.values()) alike.sort((a, b) => b.length - a.length)
  }

  /** Tells where names stand in `text`. */
  find(text: string, found: Found): void {
    const words = [...text.matchAll(WORD)]
    for (let i = 0; i < words.length; i++) {
      const names = this.byFirst.get(this.fold(words[i]![0]))
      const name = names?.find((one) => this.stands(one, text, words, i))
      if (name === undefined) continue
      const last = words[i + name.length - 1]!
      found(words[i]!.index, last.index + last[0].length)
      i += name.length - 1
    }
  }

  private stands(
    name: readonly string[],
    text: string,
    words: readonly RegExpExecArray[],
    from: number,
  ): boolean {
    return name.every((word, n) => {
      const here = words[from + n]
      if (here === undefined || this.fold(here[0]) !== word) return false
      const before = words[from + n - 1]
      return n === 0 || GAP.test(text.slice(before!.index + before![0].length, here.index))
    })
  }
}

/** The values of the read key in some rows, as far as anybody knows them. Pure. */

/** With more of them, any may be there. */
const maxKeys = 20_000

export class ReadKeys {
  /** undefined: any may be there */
  #keys: Set<string> | undefined = new Set()

  /** @param keys of some more rows; undefined where nobody knows */
  add(keys: ReadonlySet<string> | undefined): void {
    if (keys === undefined) this.#keys = undefined
    for (const key of keys ?? []) this.#keys?.add(key)
    if (this.#keys && this.#keys.size > maxKeys) this.#keys = undefined
  }

  /** True if rows of one of `wanted`, or of any key where that is undefined, may be there. */
  hasAny(wanted: readonly string[] | undefined): boolean {
    const keys = this.#keys
    return keys === undefined || wanted === undefined || wanted.some((key) => keys.has(key))
  }
}

/** What a process does to texts on their way into the store. The store knows no more of it. */
export interface Texts {
  /** false: nothing is changed anywhere, and nobody need ask */
  readonly isActive: boolean
  /**
   * The rows as they are to be stored, the same ones where nothing changes. Texts may be strings or UTF-8 bytes, and come
   * back as what they were.
   * @param table whose columns they have
   */
  rows<Row extends object>(table: string, rows: readonly Row[]): Promise<readonly Row[]>
}

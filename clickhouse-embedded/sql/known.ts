/** What was found out about texts, for the few that come again and again; forgotten all at once when there are too many. */
const maxLength = 16_384

export class Known<Value> {
  readonly #values = new Map<string, Value>()

  /** @param most texts to be known at once */
  constructor(private readonly most: number) {}

  get(text: string): Value | undefined {
    return this.#values.get(text)
  }

  /** Remembers `value`, unless the text is long. */
  set(text: string, value: Value): void {
    if (text.length > maxLength) return
    if (this.#values.size >= this.most) this.#values.clear()
    this.#values.set(text, value)
  }
}

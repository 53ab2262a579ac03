/** Texts of an address. Pure. */

/** The text that an address has for a name; the router reads 4471, true and null as JSON. undefined: none */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === '' || (typeof value === 'object' && value !== null)
    ? undefined
    : String(value)

/** Those of the names for which there is a text. */
export const textsOf = <const Name extends string>(
  given: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(given[name])
      return text === undefined ? [] : [[name, text]]
    }),
  ) as Partial<Record<Name, string>>

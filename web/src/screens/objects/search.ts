/** What the addresses of objects hold. Pure. */

export interface ObjectsSearch {
  type?: string | undefined
  q?: string | undefined
}

export interface ObjectSearch {
  tab?: string | undefined
  /** the digest of the version to compare with */
  against?: string | undefined
}

type Given = Record<string, unknown>

const text = (given: Given, name: string): Record<string, string> =>
  given[name] === undefined || given[name] === '' ? {} : { [name]: String(given[name]) }

export const readObjectsSearch = (given: Given): ObjectsSearch => ({
  ...text(given, 'type'),
  ...text(given, 'q'),
})

export const readObjectSearch = (given: Given): ObjectSearch => ({
  ...text(given, 'tab'),
  ...text(given, 'against'),
})

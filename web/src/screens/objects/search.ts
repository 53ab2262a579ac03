/** What the addresses of objects hold. Pure. */
import { textsOf } from '../../app/search-text'

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

export const readObjectsSearch = (given: Given): ObjectsSearch => textsOf(given, ['type', 'q'])

export const readObjectSearch = (given: Given): ObjectSearch => textsOf(given, ['tab', 'against'])

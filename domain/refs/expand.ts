/** Resolves refs inside calls for a caller: the interface between call readers and object readers. */
import type { Principal } from '../../platform/http/principal.js'

/** JSON texts by ref; without refs that don't exist or that the caller may not read. */
export type RefTexts = ReadonlyMap<string, string>
export type Resolve = (refs: Iterable<string>, principal: Principal) => Promise<RefTexts>

const REF_PREFIX = 'weave:///'

/** True for text that may be a ref. */
export function isRef(text: string | undefined): text is string {
  return text?.startsWith(REF_PREFIX) === true
}

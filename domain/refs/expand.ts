/** What refs inside calls point at, for one caller: the words that readers of calls and readers of objects share. */
import type { Principal } from '../../platform/http/principal.js'

/** JSON texts by ref. A ref that leads nowhere, or where the caller may not read, is not in it. */
export type RefTexts = ReadonlyMap<string, string>
export type Resolve = (refs: Iterable<string>, principal: Principal) => Promise<RefTexts>

const BEGINNING = 'weave:///'

/** True for texts that may be refs. */
export function isRef(text: string | undefined): text is string {
  return text?.startsWith(BEGINNING) === true
}

/** Ids that come out the same whenever the same work is done again, so that it replaces itself. Pure. */
import { derivedId } from '../platform/ids/derived.js'

/** An id made of `parts` in their order. */
export const stableId = (...parts: readonly (string | number)[]) => derivedId(JSON.stringify(parts))

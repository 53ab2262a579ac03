/** Deterministic ids: work that is repeated gets the same ids, and so replaces its earlier rows. Pure. */
import { derivedId } from '../platform/ids/derived.js'

/** An id derived from `parts` in their order. */
export const stableId = (...parts: readonly (string | number)[]) => derivedId(JSON.stringify(parts))

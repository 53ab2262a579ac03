/** What one statement that reads much may use where the operator says nothing. */
import type { Limits } from './store.js'

export const READ_LIMITS: Required<Limits> = { seconds: 300, memoryBytes: 4 * 2 ** 30, readBytes: 2 ** 40 }

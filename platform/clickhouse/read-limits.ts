/** Default limits of a statement that reads a lot. */
import type { Limits } from './store.js'

export const READ_LIMITS: Required<Limits> = { seconds: 300, memoryBytes: 4 * 2 ** 30, readBytes: 2 ** 40 }

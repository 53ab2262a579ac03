/** Where the data folders of servers go. */
import { tmpdir } from 'node:os'

/** Returns a folder to make others in: that of TEST_DATA_FOLDER, which `vitest.config.ts` sets. */
export function dataFolder(): string {
  return process.env.TEST_DATA_FOLDER || tmpdir()
}

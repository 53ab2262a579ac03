/** What is done with Langfuse's batches in threads, since a batch may be long. */
import { threadEntry } from '../../platform/threads/pool.js'
import { WorkThreads } from '../../platform/threads/work-threads.js'
import { readBody } from './events.js'
import { targetsOf } from './targets.js'

export const WORK = { read: readBody, targets: targetsOf }

export class LangfuseThreads extends WorkThreads<typeof WORK> {
  constructor() {
    super(WORK, threadEntry(import.meta.url, './worker.js'))
  }
}

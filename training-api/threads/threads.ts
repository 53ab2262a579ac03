/** Reads long bodies of the training interface off the main thread. */
import { threadEntry } from '../../platform/threads/pool.js'
import { WorkThreads } from '../../platform/threads/work-threads.js'
import { WORK } from './task.js'

export class Threads extends WorkThreads<typeof WORK> {
  constructor() {
    super(WORK, threadEntry(import.meta.url, './worker.js'))
  }
}

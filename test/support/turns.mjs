/**
 * Loaded into a server under test (`node --import`): notes what its main thread used of a processor in one turn of its
 * event loop, where that was much. A wall clock would blame it for what others on the machine do.
 */
import { appendFileSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.HEDDLE_TEST_TURNS
if (isMainThread && folder) {
  const fd = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const text = Buffer.alloc(64)
  const used = () => Number(text.latin1Slice(0, readSync(fd, text, 0, 64, 0)).split(' ')[0]) / 1e6
  let before = used()
  setInterval(() => {
    const now = used()
    if (now - before > 20) appendFileSync(`${folder}/${process.pid}`, `${(now - before).toFixed(1)}\n`)
    before = used()
  }, 1).unref()
}

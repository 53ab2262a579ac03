import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { openLog } from '../../platform/telemetry/log.js'
import { Child } from './child.js'
import { ORPHAN_SECONDS } from './watched.js'

const log = openLog({ level: 'silent', format: 'text', role: 'test' })
/** Says its own id and that of a process it started; neither ends when asked to. */
const STUBBORN = `trap '' TERM; sleep 600 & echo $$ $!; while :; do wait; sleep 1; done`
const left: number[] = []
afterEach(() => {
  for (const pid of left.splice(0).filter(isAlive)) process.kill(pid, 'SIGKILL')
})

const idsOf = (line: string) => {
  const ids = line.split(' ').map(Number)
  left.push(...ids)
  return ids
}

const gone = (ids: number[], seconds: number) =>
  expect.poll(() => ids.filter(isAlive), { timeout: seconds * 1000 }).toEqual([])

/** There and no zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

it('a child that does not end when asked is ended, with what it started, when the parent was killed', async () => {
  const program = `
    import { Child } from ${JSON.stringify(new URL('../../dist/cli/up/child.js', import.meta.url).href)}
    const log = { error() {} }
    const line = (text) => console.log(text)
    const run = { name: 'x', command: '/bin/sh', args: ['-c', ${JSON.stringify(STUBBORN)}], graceMs: 600000, log, line }
    new Child(run).start()`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
  const ids = idsOf(line)
  parent.kill('SIGKILL')
  await gone(ids, ORPHAN_SECONDS * 2)
})

it('a child that does not end when asked is ended after its time', async () => {
  let child!: Child
  const args = ['-c', STUBBORN]
  const ids = await new Promise<number[]>((resolve) => {
    const line = (text: string) => resolve(idsOf(text))
    child = new Child({ name: 'x', command: '/bin/sh', args, graceMs: 1000, log, line })
    child.start()
  })
  await child.stop()
  await gone(ids, 5)
})

it('a child that ends is started again, and a shell that is killed takes it along', async () => {
  const lines: string[] = []
  const args = ['-c', 'echo $$ $PPID; exec sleep 600']
  const child = new Child({
    ...{ name: 'x', command: '/bin/sh', args, graceMs: 1000, log },
    line: (text) => void lines.push(text),
  })
  child.start()
  for (const times of [1, 2, 3]) {
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(times)
    const [own, shell] = idsOf(lines.at(-1)!)
    process.kill((times === 1 ? own : shell)!, 'SIGKILL')
    await gone([own!], 5)
  }
  await child.stop()
})

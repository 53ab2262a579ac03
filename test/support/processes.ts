/** The process tree below a process this test started, so each can be ended by its own id. Linux and macOS. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Ids of all living processes below `pid`, nearest first; zombies don't count. */
export function descendants(pid: number): number[] {
  const parents = table()
  const found: number[] = []
  let level = [pid]
  while (level.length > 0) {
    level = [...parents].filter(([, parent]) => level.includes(parent)).map(([child]) => child)
    found.push(...level)
  }
  return found
}

/** The id of the process below `pid` whose command line has `text` in it. */
export function processBelow(pid: number, text: string): number {
  const found = descendants(pid).find((one) => {
    const command = commandOf(one)
    // Not the shell that watches it.
    return command.includes(text) && !command.includes('exec 3<&0')
  })
  if (found === undefined) throw new Error(`nothing runs ${text}`)
  return found
}

/** The command line of a process; empty: it has ended since. */
function commandOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout
}

/** Whether a process is there and not a zombie. */
export function isAlive(pid: number): boolean {
  return table().has(pid)
}

/** Sends a signal to one process; one that is gone already is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Process id → parent id. */
function table(): Map<number, number> {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs()
}

function fromProc(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The command in parentheses may hold anything, so the fields start after the last one.
      const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
      if (state !== 'Z') parents.set(Number(name), Number(parent))
    } catch {
      // It ended between the listing and the read.
    }
  }
  return parents
}

function fromPs(): Map<number, number> {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' }).trim().split('\n')
  const rows = lines.map((line) => line.trim().split(/\s+/))
  return new Map(
    rows.filter((row) => !row[2]?.startsWith('Z')).map((row) => [Number(row[0]), Number(row[1])]),
  )
}

/** Resident memory of a process in bytes; 0 when it is gone. */
export function residentBytes(pid: number): number {
  try {
    if (!existsSync('/proc/self/status'))
      return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/**
 * Starts a program that never outlives this process: a shell beside it asks it to end when this process is gone, however
 * that came, and makes it end when it has not after a while. Knows nothing of what it runs.
 */
import { type ChildProcess, spawn } from 'node:child_process'

/** s in which whatever was started is gone when this process was killed. */
export const ORPHAN_SECONDS = 10

/**
 * Runs "$@". A line on the standard input asks it to end, with so many seconds for that; the input's end without one
 * means that the parent died. In a group of its own, so that Ctrl-C reaches the parent alone, which then stops things in
 * order; in the end the whole group goes, with what the program itself had started. What the shell says of a child that
 * was ended is nothing to read.
 */
const WATCHED = `exec 3<&0 4>&2 2>/dev/null
"$@" </dev/null 3<&- 2>&4 4>&- &
child=$!
{ left=${ORPHAN_SECONDS}; read -r asked <&3 && left=$asked
  trap '' TERM
  kill -TERM $child
  while [ $left -gt 0 ] && kill -0 $child; do sleep 1; left=$((left - 1)); done
  kill -KILL 0; } >/dev/null &
watch=$!
exec 3<&- 4>&-
wait $child; code=$?
kill $watch
exit $code`

export interface Watched {
  child: ChildProcess
  /** Asks it to end, and makes it end after so many seconds; its `exit` says when. */
  end(seconds: number): void
}

export interface WatchedOptions {
  command: string
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** its standard error is this process's own */
  loud?: boolean
}

/** Starts it. */
export function startWatched({
  command,
  args = [],
  env = process.env,
  loud = false,
}: WatchedOptions): Watched {
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', command, ...args], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', loud ? 'inherit' : 'pipe'],
  })
  child.stdin?.on('error', () => undefined)
  // What the shell left behind: the program, should the shell have been killed, and what the program had started.
  child.once('exit', () => killGroup(child))
  return {
    child,
    end: (seconds) => child.stdin?.end(`${Math.ceil(seconds)}\n`),
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

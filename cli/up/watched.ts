/**
 * Starts a program that never outlives this process: when this process is gone, for whatever reason, a shell asks the
 * program to end, and kills it after a while.
 */
import { type ChildProcess, spawn } from 'node:child_process'

/** Seconds after which all children are gone if this process was killed. */
export const ORPHAN_SECONDS = 10

/**
 * Runs "$@". A line on standard input with a number of seconds asks it to end within them; the end of the input without
 * one means that the parent died. It runs in its own process group, so that Ctrl-C reaches only the parent, which stops
 * things in order. In the end the whole group is killed, including what the program started. The shell's messages about
 * ended children are dropped.
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
  /** Asks it to end, and kills it after so many seconds; the child emits `exit`. */
  end(seconds: number): void
}

export interface WatchedOptions {
  command: string
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** its standard error is this process's */
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
  // If the shell was killed: the program, and what the program started.
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

/**
 * Installs the model server's Python packages in the background: runs `scripts/model-server.sh`, and reports progress
 * and failures.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Log } from '../../platform/telemetry/log.js'
import { childEnv } from './child-env.js'
import { startWatched } from './watched.js'

const TELL_MS = 15_000
const KEPT_LINES = 5
const STOP_SECONDS = 2

export interface Setup {
  /** resolves when the packages are installed; false: that failed, and the log says why */
  ready: Promise<boolean>
  /** stops it, if it is running */
  stop(): void
}

/** Starts. @param folder of the model server, in a checkout */
export function setUpModelServer(folder: string, log: Log): Setup {
  const began = performance.now()
  const { child, end: endIt } = startWatched({
    command: join(folder, '../scripts/model-server.sh'),
    env: childEnv(['HEDDLE_TORCH', 'HEDDLE_TORCH_INDEX', 'PIP_*', 'UV_*']),
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      said.push(line)
      if (said.length > KEPT_LINES) said.shift()
      if (stream === child.stdout) log.info(line)
    })
  }
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const telling = setInterval(
    () => log.info({ seconds: seconds() }, 'setting up the model server; chat works when it is done'),
    TELL_MS,
  )
  let stopped = false
  const ready = new Promise<boolean>((resolve) => {
    const end = (well: boolean) => {
      clearInterval(telling)
      if (!well && !stopped)
        log.warn(
          { said: said.join('\n') },
          'the model server could not be set up; everything but chat and training works',
        )
      else if (seconds() > 0 && well) log.info({ seconds: seconds() }, 'the model server is set up')
      resolve(well && !stopped)
    }
    child.once('error', (error) => {
      said.push(error.message)
      end(false)
    })
    child.once('close', (code) => end(code === 0))
  })
  return {
    ready,
    stop: () => {
      stopped = true
      // Includes everything that the script started.
      endIt(STOP_SECONDS)
    },
  }
}

/** Whether the folder is in a checkout, with the script. */
export function canSetUp(folder: string): boolean {
  return existsSync(join(folder, '../scripts/model-server.sh'))
}

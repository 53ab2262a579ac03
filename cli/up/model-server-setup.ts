/**
 * Sets up the model server's Python packages while everything else is up already: runs `scripts/model-server.sh`,
 * says how far it is, and what is missing where it fails. Knows nothing of nodes.
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
  /** resolves when the packages are there; false: they could not be set up, and the log says why */
  ready: Promise<boolean>
  /** ends it, if it is under way */
  stop(): void
}

/** Begins. @param folder of the model server, in a checkout */
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
      // With everything that the script started.
      endIt(STOP_SECONDS)
    },
  }
}

/** Whether the folder is that of a checkout, with the script beside it. */
export function canSetUp(folder: string): boolean {
  return existsSync(join(folder, '../scripts/model-server.sh'))
}

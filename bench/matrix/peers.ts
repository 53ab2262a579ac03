/**
 * Other stores of spans, run beside ours under the same load where a variable names their binary. Each gets a folder of
 * its own, and ends with the measurement.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../test/support/ports.js'
import { family } from '../processes.js'
import type { Target } from './measure-cell.js'

export type PeerName = 'jaeger' | 'victoriatraces'

interface Kind {
  title: string
  path: string
  /** absent: a free one */
  port?: number
  args: (port: number, folder: string) => string[]
}

const KINDS: Record<PeerName, Kind> = {
  // All in one, in memory; where it listens is in its built-in configuration.
  jaeger: { title: 'Jaeger (memory)', path: '/v1/traces', port: 4318, args: () => [] },
  victoriatraces: {
    title: 'VictoriaTraces',
    path: '/insert/opentelemetry/v1/traces',
    args: (port, folder) => [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`],
  },
}

export interface Peer {
  title: string
  target: Target
  folder: string
  stop: () => Promise<void>
}

const START_MS = 30_000

/** Starts `binary`. @throws Error where it does not listen in time */
export async function startPeer(name: PeerName, binary: string): Promise<Peer> {
  const { title, path, port: fixed, args } = KINDS[name]
  const port = fixed ?? (await freePorts(1))[0] ?? 0
  const folder = mkdtempSync(join(tmpdir(), `bench-${name}-`))
  const child = spawn(binary, args(port, folder), { cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'exit').catch(() => undefined)
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const until = performance.now() + START_MS
  while (!(await listens(port))) {
    if (performance.now() > until || child.exitCode !== null) {
      await stop()
      throw new Error(`${title} does not listen on port ${port}: is ${binary} its binary?`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const headers = { 'content-type': 'application/x-protobuf' }
  return { title, folder, target: { pids: () => family(child.pid ?? 0), port, path, headers }, stop }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const answer = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}

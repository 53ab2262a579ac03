// Another product beside ours in `make bench-web`: Phoenix, started by its own command (BENCH_WEB_PEER), with the same spans
// over OTLP. It is no dependency: `python3 -m venv DIR && DIR/bin/pip install arize-phoenix`, then BENCH_WEB_PEER=DIR/bin/phoenix.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePorts } from '../dist/test/support/ports.js'
import { until } from '../dist/test/support/until.js'

const PROTOBUF = { 'content-type': 'application/x-protobuf' }
const PATIENCE_SECONDS = 180

/** Phoenix on a port and a folder of its own. */
export class Phoenix {
  /** @param command its path */
  static async start(command) {
    const [port, grpc] = await freePorts(2)
    const folder = mkdtempSync(join(tmpdir(), 'heddle-phoenix-'))
    const env = {
      ...process.env,
      PHOENIX_WORKING_DIR: folder,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(grpc),
      PHOENIX_TELEMETRY_ENABLED: 'false',
    }
    const child = spawn(command, ['serve'], { env, stdio: 'ignore' })
    const phoenix = new Phoenix(child, folder, `http://127.0.0.1:${port}`, versionOf(command))
    const isUp = () =>
      fetch(phoenix.url).then(
        ({ ok }) => ok,
        () => child.exitCode !== null,
      )
    await until('Phoenix to answer', isUp, PATIENCE_SECONDS)
    if (child.exitCode !== null) throw new Error(`${command} serve ended with ${child.exitCode}`)
    return phoenix
  }

  constructor(child, folder, url, version) {
    Object.assign(this, { child, folder, url, version, sent: 0 })
  }

  /** @param body an ExportTraceServiceRequest of `spans` spans */
  async send(body, spans) {
    const answer = await fetch(`${this.url}/v1/traces`, { method: 'POST', headers: PROTOBUF, body })
    if (!answer.ok) throw new Error(`Phoenix answered ${answer.status}: ${await answer.text()}`)
    this.sent += spans
  }

  /** It answers before it has stored. @returns the path of the project that all spans are in, once they are there */
  async stored() {
    const query = '{ projects { edges { node { id recordCount } } } }'
    let id
    await until(
      'Phoenix to store the spans',
      async () => {
        const answer = await fetch(`${this.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        })
        const { data } = await answer.json()
        const full = data?.projects.edges.find(({ node }) => node.recordCount >= this.sent)
        id = full?.node.id
        return id !== undefined
      },
      600,
    )
    return `${this.url}/projects/${id}`
  }

  async stop() {
    if (this.child.exitCode === null) {
      this.child.kill()
      await once(this.child, 'exit')
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What is installed beside the command. */
function versionOf(command) {
  const print = 'import importlib.metadata as m; print(m.version("arize-phoenix"))'
  const { stdout } = spawnSync(join(dirname(command), 'python'), ['-c', print], { encoding: 'utf8' })
  return `Phoenix ${stdout?.trim() || 'of an unknown version'}`
}

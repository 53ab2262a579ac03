/** One role of Heddle as a process of its own, from the built command line. It knows roles by their commands alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { Api } from './api.js'
import { main } from './command.js'
import { freePorts } from './ports.js'
import { root } from './root.js'
import { until } from './until.js'

export class Role {
  private log = ''

  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
    readonly metricsUrl: string,
  ) {
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.log = (this.log + chunk.toString()).slice(-20_000)
      })
  }

  /** Starts `heddle <role>` and returns when `/readyz` says so. */
  static async start(role: string, env: Record<string, string>): Promise<Role> {
    const [port, metrics] = await freePorts(2)
    const child = spawn(process.execPath, [main, role], {
      env: {
        ...process.env,
        HEDDLE_PORT: `${port}`,
        HEDDLE_METRICS_PORT: `${metrics}`,
        HEDDLE_OTLP_GRPC_PORT: 'off',
        HEDDLE_SIGNALS: 'false',
        ...env,
      },
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const started = new Role(child, `http://127.0.0.1:${port}`, `http://127.0.0.1:${metrics}`)
    await until(`${role} to be ready`, async () => {
      if (child.exitCode !== null) throw new Error(`it ended\n${started.log}`)
      return (await fetch(`${started.metricsUrl}/readyz`)).ok
    })
    return started
  }

  api(key: string): Api {
    return new Api(this.url, key)
  }

  get output(): string {
    return this.log
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null) this.process.kill('SIGTERM')
    await until(`a role to stop\n${this.log}`, () => this.process.exitCode !== null, 30)
  }
}

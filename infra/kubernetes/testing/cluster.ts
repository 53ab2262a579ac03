/** A simulated cluster for tests: brings it up, runs kubectl and helm in it, takes it down. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const here = resolve(import.meta.dirname, '..')
const tools = resolve(here, '../../.cache/tools')
const LOOK_MS = 500
const MOST_OUTPUT = 256 << 20

export interface Listed<Item> {
  items: Item[]
}

export class Cluster {
  private constructor(
    private readonly state: string,
    private readonly ports: number,
    readonly namespace: string,
  ) {}

  /** Starts a control plane with so many nodes, and a namespace under Pod Security's `restricted`. */
  static async start(cpuNodes: number, gpuNodes: number, namespace: string): Promise<Cluster> {
    const cluster = new Cluster(
      join(mkdtempSync(join(tmpdir(), 'heddle-cluster-')), 'state'),
      await freeRange(8),
      namespace,
    )
    await cluster.script('up.sh', String(cpuNodes), String(gpuNodes))
    await cluster.kubectl('create', 'namespace', namespace)
    await cluster.kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted')
    return cluster
  }

  async stop(): Promise<void> {
    await this.script('down.sh')
    rmSync(resolve(this.state, '..'), { recursive: true, force: true })
  }

  kubectl(...args: string[]): Promise<string> {
    return this.run(join(tools, 'kubectl'), args)
  }

  /** @param input of the standard input, such as values for `-f -` */
  helm(args: string[], input = ''): Promise<string> {
    return this.run(join(tools, 'helm'), [...args, '--namespace', this.namespace], input)
  }

  /** What the API server has. @param about such as `deployment x`, or `pods -l a=b` */
  async get<Item>(about: string): Promise<Item> {
    return JSON.parse(
      await this.kubectl('get', ...about.split(' '), '-n', this.namespace, '-o', 'json'),
    ) as Item
  }

  /** Makes the number of nodes so. */
  async nodes(cpuNodes: number, gpuNodes: number): Promise<void> {
    const objects = await this.run(process.execPath, [
      join(here, 'objects.mjs'),
      'nodes',
      String(cpuNodes),
      String(gpuNodes),
    ])
    await this.run(join(tools, 'kubectl'), ['apply', '--server-side', '--validate=false', '-f', '-'], objects)
  }

  /** Sets an external metric, which autoscalers see at their next look. */
  async metric(name: string, value: number): Promise<void> {
    const url = `https://127.0.0.1:${this.ports + 6}/set/${name}/${value}`
    await this.run('curl', ['-skf', '-X', 'PUT', url])
  }

  /** Waits until `holds`; what it throws meanwhile is no answer. @throws after `seconds`, with what it said last */
  async until(what: string, holds: () => Promise<boolean>, seconds = 90): Promise<void> {
    const end = Date.now() + seconds * 1000
    for (;;) {
      let last: unknown
      try {
        if (await holds()) return
      } catch (error) {
        last = error
      }
      if (Date.now() > end) {
        const pods = await this.kubectl('get', 'pods', '-n', this.namespace, '-o', 'wide')
        throw new Error(`${what}: not within ${seconds} s\n${String(last ?? '')}\n${pods.slice(0, 8000)}`)
      }
      await pause(LOOK_MS)
    }
  }

  private script(name: string, ...args: string[]): Promise<string> {
    return this.run(join(here, name), args)
  }

  private run(command: string, args: string[], input = ''): Promise<string> {
    const env = {
      ...process.env,
      STATE: this.state,
      PORTS: String(this.ports),
      KUBECONFIG: join(this.state, 'admin.kubeconfig'),
      HELM_CACHE_HOME: join(this.state, 'helm'),
      HELM_CONFIG_HOME: join(this.state, 'helm'),
    }
    return new Promise((done, fail) => {
      const child = execFile(command, args, { env, maxBuffer: MOST_OUTPUT }, (error, out, err) => {
        if (error) fail(new Error(`${command} ${args.slice(0, 4).join(' ')}: ${err || error.message}`))
        else done(out)
      })
      child.stdin?.end(input)
    })
  }
}

/** The first of `count` ports in a row that were free a moment ago. */
async function freeRange(count: number): Promise<number> {
  for (let first = 21_000 + (process.pid % 200) * 40; ; first += count) {
    const all = await Promise.all([...Array(count).keys()].map((i) => isFree(first + i)))
    if (all.every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}

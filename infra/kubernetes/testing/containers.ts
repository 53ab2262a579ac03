/**
 * Runs rendered containers as processes of this machine: their command, their environment and nothing else, their
 * folders and ports in a place of their own. Answers their probes as a kubelet would.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Container, type Manifest, type Pods, type Probe, podsOf } from '../../helm/testing/render.js'

const PROBE_MS = 10_000
const KEPT = 20_000

/** What an image's entry point is on this machine, by a part of the image's name. */
export type Images = Record<string, { command: string[]; path: string; cwd?: string }>

export interface Running {
  name: string
  process: ChildProcess
  /** what it said so far */
  log(): string
  ended: Promise<number>
}

export class Containers {
  private readonly secrets = new Map<string, Record<string, string>>()
  private readonly pods: Pods[]
  private readonly started: Running[] = []

  /**
   * @param folder for what containers write
   * @param ports of this machine, for each `host:port` of the cluster that containers name or listen on
   */
  constructor(
    private readonly manifests: readonly Manifest[],
    private readonly images: Images,
    private readonly folder: string,
    private readonly ports: ReadonlyMap<string, number>,
  ) {
    this.pods = podsOf(manifests)
    for (const { kind, metadata, data } of manifests)
      if (kind === 'Secret' && data) this.secrets.set(metadata.name, decoded(data))
  }

  secret(name: string, key: string): string {
    const value = this.secrets.get(name)?.[key]
    if (value === undefined) throw new Error(`no ${key} in the secret ${name}`)
    return value
  }

  /** A container of the pods that `owner` makes: its first, or an init container by its name. */
  find(owner: string, init?: string): Container {
    const pod = this.pods.find((one) => one.owner.metadata.name === owner)
    const found = init ? pod?.spec.initContainers?.find(({ name }) => name === init) : pod?.spec.containers[0]
    if (!found) throw new Error(`${owner} has no container ${init ?? ''}`)
    return found
  }

  start(owner: string, init?: string): Running {
    const container = this.find(owner, init)
    const [command = '', ...args] = this.commandOf(owner, container)
    const child = spawn(command, args, {
      env: this.environment(owner, container),
      cwd: this.imageOf(container).cwd ?? this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-KEPT)
      })
    const ended = new Promise<number>((done) => {
      child.on('error', () => done(-1))
      child.on('exit', (code, signal) => done(code ?? (signal === null ? -1 : 128)))
    })
    const running = { name: owner, process: child, log: () => said, ended }
    this.started.push(running)
    return running
  }

  /** Runs a container to its end; its status, and what it said. */
  async run(owner: string, init?: string): Promise<{ status: number; log: string }> {
    const running = this.start(owner, init)
    const status = await running.ended
    return { status, log: running.log() }
  }

  /** Whether a probe of the first container of `owner` succeeds at this moment. */
  async probe(owner: string, which: 'startupProbe' | 'livenessProbe' | 'readinessProbe'): Promise<boolean> {
    const container = this.find(owner)
    const probe = container[which]
    if (!probe) throw new Error(`${owner} has no ${which}`)
    if (probe.httpGet) {
      const url = `http://127.0.0.1:${this.portOf(owner, container, probe.httpGet.port)}${probe.httpGet.path}`
      return fetch(url, { signal: AbortSignal.timeout(PROBE_MS) }).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    if (probe.tcpSocket) return reaches(this.portOf(owner, container, probe.tcpSocket.port))
    return this.runs(owner, container, probe)
  }

  /** Waits until a probe succeeds. @throws with what the container said if it does not, or ended */
  async until(running: Running, which: 'startupProbe' | 'readinessProbe', seconds = 60): Promise<void> {
    for (let left = seconds * 5; left > 0; left--) {
      if (await this.probe(running.name, which)) return
      if (running.process.exitCode !== null) break
      await pause(200)
    }
    throw new Error(`${running.name}: ${which} does not succeed\n${running.log()}`)
  }

  /** Ends all that still runs. */
  async stop(): Promise<void> {
    for (const { process } of this.started) if (process.exitCode === null) process.kill('SIGKILL')
    await Promise.all(this.started.map(({ ended }) => ended))
  }

  private imageOf({ image }: Container): Images[string] {
    const found = Object.entries(this.images).find(([part]) => image.includes(part))
    if (!found) throw new Error(`nothing here for the image ${image}`)
    return found[1]
  }

  private commandOf(owner: string, container: Container): string[] {
    const env = this.environment(owner, container)
    const words = [...(container.command ?? []), ...(container.args ?? [])].map((word) =>
      this.local(owner, expanded(word, env)),
    )
    // What stands in for an entry point is of this machine already.
    return container.command ? words : [...this.imageOf(container).command, ...words]
  }

  private environment(owner: string, container: Container): Record<string, string> {
    const env: Record<string, string> = {}
    for (const { name, value, valueFrom } of container.env ?? []) {
      if (value !== undefined) env[name] = this.local(owner, expanded(value, env))
      else if (valueFrom?.secretKeyRef)
        env[name] = this.secret(valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key)
      else env[name] = `${owner}-0`
    }
    const tmp = this.folderFor(owner, 'tmp')
    return { ...env, PATH: this.imageOf(container).path, TMPDIR: tmp }
  }

  /** A value with addresses, ports and folders of this machine in the place of the cluster's. */
  private local(owner: string, value: string): string {
    let text = value
    for (const [address, port] of this.ports) {
      const [host = '', number = ''] = address.split(':')
      if (host === owner) {
        // Its own port stands alone, or after the address to listen on.
        if (text === number) text = String(port)
        text = text.replace(`0.0.0.0:${number}`, `127.0.0.1:${port}`)
      }
      text = text.replaceAll(`${owner}-0.${address}`, `127.0.0.1:${port}`)
      text = text.replaceAll(new RegExp(`(${host}-0\\.)?${host}:${number}\\b`, 'g'), `127.0.0.1:${port}`)
    }
    if (text === '0.0.0.0') text = '127.0.0.1'
    for (const { mountPath } of this.mounts(owner))
      if (text === mountPath || text.startsWith(`${mountPath}/`))
        text = this.folderFor(owner, mountPath.slice(1).replaceAll('/', '-')) + text.slice(mountPath.length)
    return text
  }

  private mounts(owner: string): { name: string; mountPath: string }[] {
    const pod = this.pods.find((one) => one.owner.metadata.name === owner)
    return (pod?.spec.containers ?? []).flatMap(({ volumeMounts = [] }) => volumeMounts)
  }

  /** The folder in the place of a volume, with the files of a ConfigMap if it is one. */
  folderFor(owner: string, volume: string): string {
    const folder = join(this.folder, owner, volume)
    mkdirSync(folder, { recursive: true })
    const pod = this.pods.find((one) => one.owner.metadata.name === owner)
    const name = pod?.spec.volumes?.find((one) => one.name === volume)?.configMap?.name
    const map = this.manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)
    for (const [file, text] of Object.entries(map?.data ?? {})) writeFileSync(join(folder, file), text)
    return folder
  }

  private portOf(owner: string, container: Container, name: string): number {
    const number = container.ports?.find((port) => port.name === name)?.containerPort
    const port = this.ports.get(`${owner}:${number}`)
    if (port === undefined) throw new Error(`no port here for ${owner}:${number}`)
    return port
  }

  private runs(owner: string, container: Container, probe: Probe): Promise<boolean> {
    const env = this.environment(owner, container)
    const [command = '', ...args] = (probe.exec?.command ?? []).map((word) =>
      this.local(owner, expanded(word, env)),
    )
    const { cwd = this.folder } = this.imageOf(container)
    return new Promise((done) => {
      execFile(command, args, { env, cwd, timeout: PROBE_MS }, (error) => done(error === null))
    })
  }
}

function decoded(data: Record<string, string>): Record<string, string> {
  const entries = Object.entries(data).map(
    ([key, value]) => [key, Buffer.from(value, 'base64').toString()] as const,
  )
  return Object.fromEntries(entries)
}

/** `$(NAME)` becomes the value of a name that came before, as Kubernetes has it. */
function expanded(text: string, env: Record<string, string>): string {
  return text.replaceAll(/\$\((\w+)\)/g, (whole, name: string) => env[name] ?? whole)
}

function reaches(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}

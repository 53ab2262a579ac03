/**
 * Starts nginx or Caddy with the configuration of `infra/proxies`, in which only addresses, ports and certificates are
 * others, since those that it names are not there.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { freePorts } from './ports.js'
import { root } from './root.js'
import { until } from './until.js'

/** `host:port` of each upstream. */
export interface Upstreams {
  tracing: string
  chat: string
  grpc: string
}

type Kind = 'nginx' | 'caddy'

export class ProxyProcess {
  private log = ''

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    /** of the tracing interface */
    readonly url: string,
    readonly chatUrl: string,
    /** of the authority that clients have to trust */
    readonly certificate: string,
    /** trusts it */
    readonly dispatcher: Agent,
  ) {
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.log = (this.log + chunk.toString()).slice(-20_000)
      })
  }

  /** Starts one and returns when it answers. */
  static async start(kind: Kind, upstreams: Upstreams): Promise<ProxyProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-proxy-'))
    const [port = 0, chatPort = 0] = await freePorts(2)
    const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const kindOfKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const files = ['-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', '-x509', ...kindOfKey, ...names, ...files], { stdio: 'ignore' })
    const arguments_ = { nginx, caddy }[kind](folder, { port, chatPort, certificate, key, upstreams })
    const own = join(root, '.cache/proxies', kind)
    const child = spawn(existsSync(own) ? own : kind, arguments_, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const urls = [port, chatPort].map((one) => `https://localhost:${one}`) as [string, string]
    const dispatcher = new Agent({ connect: { ca: readFileSync(certificate) } })
    const proxy = new ProxyProcess(child, folder, ...urls, certificate, dispatcher)
    const answers = async () => {
      if (child.exitCode !== null) throw new Error(`it ended\n${proxy.log}`)
      return (
        (await dispatcher.request({ origin: urls[0], path: '/health', method: 'GET' })).statusCode === 200
      )
    }
    await until(`${kind} to answer`, answers, 20).catch(async (error: Error) => {
      await proxy.stop()
      throw new Error(`${error.message}\n${proxy.log}`)
    })
    return proxy
  }

  async stop(): Promise<void> {
    await this.dispatcher.destroy()
    if (this.process.exitCode === null) {
      this.process.kill('SIGTERM')
      await once(this.process, 'exit')
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

interface Places {
  port: number
  chatPort: number
  certificate: string
  key: string
  upstreams: Upstreams
}

/** The shipped file with other places. @throws Error for what it does not hold */
function shipped(file: string, places: readonly (readonly [from: string, to: string])[]): string {
  let text = readFileSync(join(root, 'infra/proxies', file), 'utf8')
  for (const [from, to] of places) {
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
    text = text.replace(from, to)
  }
  return text
}

function nginx(folder: string, { port, chatPort, certificate, key, upstreams }: Places): string[] {
  const site = shipped('nginx.conf', [
    ['127.0.0.1:8080', upstreams.tracing],
    ['127.0.0.1:8081', upstreams.chat],
    ['127.0.0.1:4317', upstreams.grpc],
    ['/etc/ssl/heddle/tls.crt', certificate],
    ['/etc/ssl/heddle/tls.key', key],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['listen 443 ssl', `listen 127.0.0.1:${chatPort} ssl`],
  ])
  writeFileSync(join(folder, 'heddle.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const lines = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `daemon off; pid ${folder}/pid; error_log stderr; events {}`,
    'http { access_log off;',
    ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
    `include ${folder}/heddle.conf; }`,
  ]
  writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'))
  return ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]
}

function caddy(folder: string, { port, chatPort, certificate, key, upstreams }: Places): string[] {
  const own = `tls ${certificate} ${key}`
  const site = shipped('Caddyfile', [
    ['h2c://127.0.0.1:4317', `h2c://${upstreams.grpc}`],
    ['127.0.0.1:8080', upstreams.tracing],
    ['127.0.0.1:8081', upstreams.chat],
    ['\nheddle.example.com {', `\nhttps://localhost:${port} {\n${own}`],
    ['\nchat.heddle.example.com {', `\nhttps://localhost:${chatPort} {\n${own}`],
  ])
  // Neither its own administration nor redirects from port 80.
  writeFileSync(join(folder, 'Caddyfile'), `{\nadmin off\nauto_https disable_redirects\n}\n${site}`)
  return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
}

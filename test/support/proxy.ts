/**
 * Starts nginx or Caddy with the configuration of `infra/proxies`, in which only addresses, ports and certificates are
 * others, since those that it names are not there; or nginx with what ingress-nginx makes of the chart's annotations.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { parseAllDocuments } from 'yaml'
import { freePorts } from './ports.js'
import { root } from './root.js'
import { until } from './until.js'

/** `host:port` of each upstream. */
export interface Upstreams {
  tracing: string
  chat: string
  grpc: string
}

type Kind = 'nginx' | 'caddy' | 'ingress-nginx'

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
    const makers = { nginx, caddy, 'ingress-nginx': ingressNginx }
    const arguments_ = makers[kind](folder, { port, chatPort, certificate, key, upstreams })
    const program = kind === 'caddy' ? kind : 'nginx'
    const own = join(root, '.cache/proxies', program)
    const child = spawn(existsSync(own) ? own : program, arguments_, {
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
  return nginxWith(
    folder,
    shipped('nginx.conf', [
      ['127.0.0.1:8080', upstreams.tracing],
      ['127.0.0.1:8081', upstreams.chat],
      ['127.0.0.1:4317', upstreams.grpc],
      ['/etc/ssl/heddle/tls.crt', certificate],
      ['/etc/ssl/heddle/tls.key', key],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['listen 443 ssl', `listen 127.0.0.1:${chatPort} ssl`],
    ]),
  )
}

/** The arguments of an nginx with `site` in its part `http`. */
function nginxWith(folder: string, site: string): string[] {
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

const PREFIX = 'nginx.ingress.kubernetes.io/'
/** Which directive the controller makes of an annotation, for a backend that speaks HTTP and for one that speaks gRPC. */
const DIRECTIVES: Record<string, readonly string[]> = {
  'proxy-body-size': ['client_max_body_size'],
  'proxy-request-buffering': ['proxy_request_buffering'],
  'proxy-buffering': ['proxy_buffering'],
  'proxy-http-version': ['proxy_http_version'],
  'proxy-read-timeout': ['proxy_read_timeout', 'grpc_read_timeout'],
  'proxy-send-timeout': ['proxy_send_timeout', 'grpc_send_timeout'],
  'backend-protocol': [],
}

interface Ingress {
  kind: string
  metadata: { annotations: Record<string, string> }
  spec: { rules: { host: string; http: { paths: { path: string }[] } }[] }
}

/**
 * What the controller's template writes for the chart's Ingresses: their annotations as directives, its own defaults for
 * the rest, and the two settings of its ConfigMap that docs/operate/proxies.md names.
 */
function ingressNginx(folder: string, { port, chatPort, certificate, key, upstreams }: Places): string[] {
  const [TRACING, CHAT] = ['tracing.test', 'chat.test']
  const given = { className: 'nginx', enabled: true, host: TRACING, trainingHost: CHAT }
  const values = Object.entries(given).flatMap(([name, value]) => ['--set', `ingress.${name}=${value}`])
  const shown = ['--show-only', 'templates/ingress.yaml']
  const helm = join(root, '.cache/tools/helm')
  const asked = ['template', 'r', join(root, 'infra/helm/heddle'), ...values, ...shown]
  const text = execFileSync(helm, asked, { stdio: 'pipe' })
  const ingresses = parseAllDocuments(text.toString()).map((one) => one.toJS() as Ingress)
  const docs = readFileSync(join(root, 'docs/operate/proxies.md'), 'utf8')
  const setting = (name: string) => {
    const [, value] = new RegExp(`^${name}: "(.*)"$`, 'm').exec(docs) ?? []
    if (value === undefined) throw new Error(`proxies.md does not set ${name}`)
    return value
  }
  const isGrpc = ({ metadata }: Ingress) => metadata.annotations[`${PREFIX}backend-protocol`] === 'GRPC'
  const directives = ({ metadata }: Ingress) =>
    Object.entries(metadata.annotations).flatMap(([name, value]) => {
      const own = DIRECTIVES[name.replace(PREFIX, '')]
      if (own === undefined) throw new Error(`nobody has said what ${name} means`)
      // Annotations have seconds without their unit.
      return own.map((directive) => `${directive} ${value}${directive.endsWith('timeout') ? 's' : ''};`)
    })
  const locations = (host: string) =>
    ingresses.flatMap((ingress) =>
      ingress.spec.rules
        .filter((rule) => rule.host === host)
        .flatMap(({ http }) => http.paths)
        .map(({ path }) => {
          const upstream = isGrpc(ingress) ? 'grpc' : host === CHAT ? 'chat' : 'tracing'
          const pass = isGrpc(ingress) ? 'grpc_pass grpc' : 'proxy_pass http'
          return `location ${path} { ${directives(ingress).join(' ')} ${pass}://${upstream}; }`
        }),
    )
  const server = (host: string, at: number) => [
    `server { listen 127.0.0.1:${at} ssl http2; ssl_certificate ${certificate}; ssl_certificate_key ${key};`,
    ...locations(host),
    '}',
  ]
  const headers = [
    ...['Host $http_host', 'X-Real-IP $remote_addr', 'X-Forwarded-For $remote_addr'],
    ...['X-Forwarded-Proto $scheme', 'X-Scheme $scheme'],
  ]
  const site = [
    ...Object.entries(upstreams).map(
      ([name, address]) =>
        `upstream ${name} { server ${address}; keepalive 320; keepalive_timeout ${setting('upstream-keepalive-timeout')}s; }`,
    ),
    ...headers.flatMap((header) => [`proxy_set_header ${header};`, `grpc_set_header ${header};`]),
    'proxy_set_header Connection "";',
    `underscores_in_headers ${setting('enable-underscores-in-headers') === 'true' ? 'on' : 'off'};`,
    ...server(TRACING!, port),
    ...server(CHAT!, chatPort),
  ]
  return nginxWith(folder, site.join('\n'))
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

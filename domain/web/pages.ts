/** Serves web pages with their scripts and styles, from the room web/, in memory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { webFile } from '../../contract/web.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'

/** Pages run only this service's script files, and connect only to it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** In order of preference, with the extension of the compressed file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const
/** The output folder of `vite build`. File names contain content hashes. */
const BUILT = new URL('../../web/app/', import.meta.url)
const NOT_BUILT =
  '<!doctype html>\n<title>Heddle</title>\n<p>The pages are not built: run <code>make build</code>.\n'

/** A handler that serves the application's page. Reads the file once. */
export function applicationPage(): () => Reply {
  const file = new URL('index.html', BUILT)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : NOT_BUILT
  return () => new Reply(200, 'text/html; charset=utf-8', text, HEADERS)
}

/** What keeps an address, which is a secret, and what it shows out of indexes, referrers and caches. */
export const UNLISTED = {
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The same as {@link applicationPage}, at addresses that are secrets. */
export function unlistedPage(): () => Reply {
  const page = applicationPage()
  return () => {
    const { status, contentType, body, headers } = page()
    return new Reply(status, contentType, body, { ...headers, ...UNLISTED })
  }
}

/** The route of the files that pages load. */
export function webFileRoute(): Bound {
  const files = builtFiles()
  return serve(webFile, ({ params, headers }) => {
    const file = files.get(params.name)
    if (file === undefined) throw errors.notFound(`The file ${params.name}`)
    return file(headers.get('accept-encoding') ?? '')
  })
}

/** Handlers by file name; they serve compressed files to browsers that accept them. */
function builtFiles(): ReadonlyMap<string, (accepted: string) => Reply> {
  const names = existsSync(BUILT) ? readdirSync(BUILT) : []
  const files = names.flatMap((name): [string, (accepted: string) => Reply][] => {
    const type = TYPES[extname(name)]
    if (type === undefined) return []
    const headers = {
      ...HEADERS,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    }
    const replies = ENCODINGS.filter(([, ending]) => names.includes(name + ending)).map(
      ([encoding, ending]) => {
        const bytes = readFileSync(new URL(name + ending, BUILT))
        return [encoding, new Reply(200, type, bytes, { ...headers, 'content-encoding': encoding })] as const
      },
    )
    const plain = new Reply(200, type, readFileSync(new URL(name, BUILT)), headers)
    const answer = (accepted: string) =>
      replies.find(([encoding]) => accepted.includes(encoding))?.[1] ?? plain
    return [[name, answer]]
  })
  return new Map(files)
}

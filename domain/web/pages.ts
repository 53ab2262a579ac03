/** Pages for browsers with their scripts and styles, from the room web/. Knows nothing of what they show. */
import { readFileSync } from 'node:fs'
import { WEB_FILES, webFile } from '../../contract/web.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'

/** Pages run the scripts of this service, which are files of their own, and talk to it, nothing else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

function textOf(name: string): string {
  return readFileSync(new URL(`../../web/${name}`, import.meta.url), 'utf8')
}

/** A handler that answers with a page. The file is read once. */
export function servedPage(name: string): () => Reply {
  const text = textOf(name)
  return () => new Reply(200, 'text/html; charset=utf-8', text, HEADERS)
}

/** The route of what pages load. */
export function webFileRoute(): Bound {
  const replies = WEB_FILES.map((name) => {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    return [name, new Reply(200, `${type}; charset=utf-8`, textOf(name), HEADERS)] as const
  })
  const files = new Map(replies)
  return serve(webFile, ({ params }) => files.get(params.name)!)
}

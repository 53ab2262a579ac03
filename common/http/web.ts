/** The browser's files, from the room web/, and pages with the common style in them. Knows nothing of what they show. */
import { readFileSync } from 'node:fs'
import { Reply } from './request.js'

/** Pages run their own script and talk to this service, nothing else. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

/** A file's text. */
export function webFile(name: string): string {
  return readFileSync(new URL(`../../web/${name}`, import.meta.url), 'utf8')
}

/** A page's text. */
export function webPage(name: string): string {
  const style = webFile('page.css')
  return webFile(name).replace('/*style*/', () => style)
}

/** A handler that answers with a page whose script is in it. The file is read once. */
export function servedPage(name: string): () => Reply {
  const text = webPage(name)
  return () => new Reply(200, 'text/html; charset=utf-8', text, PAGE_HEADERS)
}

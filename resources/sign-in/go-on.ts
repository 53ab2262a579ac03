/**
 * The page that follows a provider's answer. The session's cookie is not sent along with what another site leads to, so
 * the browser goes on from a page of this service.
 */
import { Reply } from '../../platform/http/request.js'

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** @param next a path of this service @param cookies that the browser keeps */
export function goOnPage(next: string, cookies: Record<string, string>): Reply {
  const address = next.replaceAll(/[&<>"']/g, (char) => ESCAPES[char]!)
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Heddle</title>
<p>You are signed in. <a href="${address}">Go on</a></p>
</html>
`
  return new Reply(200, 'text/html; charset=utf-8', text, { ...HEADERS, ...cookies })
}

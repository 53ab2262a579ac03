/** Where a browser goes once somebody is signed in: an address of this service, and of no other site. */

const LONGEST = 2000
const HERE = 'http://here.invalid'

/** `wanted` if it is a path of this service, in its normal form; else the start page. */
export function returnAddress(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > LONGEST || !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted)) return '/'
  if (!URL.canParse(wanted, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, HERE)
  // What was a path of dots may have become the name of a host.
  const isOurs = origin === HERE && !pathname.startsWith('//') && !/^\/sign-?in(\/|$)/.test(pathname)
  return isOurs ? pathname + search + hash : '/'
}

/**
 * A browser without a screen: keeps cookies by host and port, and goes where it is sent. It sends no strict cookie to where
 * another origin leads it.
 */

import { request } from 'undici'

interface Asked {
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: string
}

interface Cookie {
  value: string
  isStrict: boolean
}

export class Visitor {
  private readonly jars = new Map<string, Map<string, Cookie>>()
  csrf = ''

  /** One request. @param from the origin that leads there; default: this very one */
  async ask(address: string, init: Asked = {}, from = new URL(address).origin): Promise<Response> {
    const { origin } = new URL(address)
    const jar = this.jar(origin)
    const cookies = [...jar].filter(([, { isStrict }]) => !isStrict || from === origin)
    const headers = {
      cookie: cookies.map(([name, { value }]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': from === origin ? 'same-origin' : 'cross-site',
      'user-agent': 'Visitor/1.0',
      ...init.headers,
    }
    // `fetch` would say that a script asks.
    const {
      statusCode: status,
      headers: got,
      body,
    } = await request(address, { method: 'GET', ...init, headers })
    const lines = Object.entries(got).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const bytes = await body.arrayBuffer()
    const answer = new Response(status === 204 || bytes.byteLength === 0 ? null : bytes, {
      status,
      headers: lines,
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(/;\s*/)
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || rest.some((part) => /^max-age=0$/i.test(part))) jar.delete(name)
      else jar.set(name, { value, isStrict: rest.includes('SameSite=Strict') })
    }
    return answer
  }

  /** Goes where it is sent, as long as `goesOn` says so of the next address. @returns that address, or the page at the end */
  async follow(
    address: string,
    goesOn: (next: string) => boolean = () => true,
  ): Promise<{ address: string; answer: Response | undefined }> {
    let [here, from] = [address, new URL(address).origin]
    for (let hops = 0; hops < 20; hops++) {
      const answer = await this.ask(here, {}, from)
      const next = answer.headers.get('location')
      if (next === null) return { address: here, answer }
      from = new URL(here).origin
      here = new URL(next, here).href
      if (!goesOn(here)) return { address: here, answer: undefined }
    }
    throw new Error(`${address} leads nowhere`)
  }

  /** Sends JSON as a page of the service does. */
  send(method: 'POST' | 'DELETE', address: string, body?: unknown): Promise<Response> {
    const headers = {
      'x-csrf-token': this.csrf,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return this.ask(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  }

  private jar(origin: string): Map<string, Cookie> {
    const jar = this.jars.get(origin) ?? new Map<string, Cookie>()
    this.jars.set(origin, jar)
    return jar
  }
}

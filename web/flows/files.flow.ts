import { describe, expect, it } from 'vitest'
import { server } from './browser.js'

const ask = (path: string, encoding: string) =>
  fetch(server.url + path, { headers: { 'accept-encoding': encoding } })
const page = async () => (await ask('/', 'identity')).text()
/** The files that a text names. */
const filesIn = (text: string) => [...new Set(text.match(/[\w-]+-[\w-]{8}\.(?:js|css|svg)/g))]

describe('the page', () => {
  it.each(['/', '/signin', '/invitation', '/acme/one/weave/traces', '/acme/one/r/call/1'])(
    'at %s is asked for each time, and runs only files of this service',
    async (path) => {
      const { status, headers } = await ask(path, 'identity')
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-cache')
      const policy = headers.get('content-security-policy')!.split('; ')
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "frame-ancestors 'none'",
        ]),
      )
      expect(policy.join()).not.toMatch(/unsafe|https?:|\*/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    },
  )

  it('has nothing inline, and nothing of another host', async () => {
    const html = await page()
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^\/web\/[\w.-]+$/)
  })
})

describe('its files', () => {
  it('have a hash in their name, are kept for good, and are sent compressed', async () => {
    const files = filesIn(await page())
    expect(files.some((name) => name.endsWith('.js')) && files.some((name) => name.endsWith('.css'))).toBe(
      true,
    )
    for (const name of files) {
      const sizes = []
      for (const [accepted, encoding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip', 'gzip'],
        ['identity', null],
      ] as const) {
        const { status, headers } = await ask(`/web/${name}`, accepted)
        expect([name, status, headers.get('content-encoding')]).toEqual([name, 200, encoding])
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(headers.get('vary')).toBe('accept-encoding')
        expect(headers.get('content-security-policy')).toContain("script-src 'self'")
        sizes.push(Number(headers.get('content-length')))
      }
      const [br, gzip, plain] = sizes as [number, number, number]
      expect(br).toBeGreaterThan(0)
      if (plain > 1000) expect(br < gzip && gzip < plain).toBe(true)
    }
  })

  it('that are not there are not found', async () => {
    for (const name of ['index-00000000.js', 'manifest.json', 'index.html', '..%2fpackage.json'])
      expect([name, (await ask(`/web/${name}`, 'identity')).status]).toEqual([name, 404])
  })
})

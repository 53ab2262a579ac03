/** The lines around a handler: their order, what they name, and what happens where they can't be written. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errors } from '../errors/catalog.js'
import { type AuditEvent, type Auditor, auditEventOf, audited, type Result } from './audit.js'
import { Principal } from './principal.js'
import { Reply, type Request } from './request.js'
import { type Audit, type RouteSpec, route } from './route.js'

const ann = new Principal('u1', 'ann', [{ scope: 'acme/one', right: 'write' }], 'k1')

const specOf = (audit: Audit): RouteSpec =>
  route({
    ...{ id: 'thing_delete', method: 'POST', path: '/things/delete', tag: 'Things', summary: 'Delete' },
    ...{ access: 'write', project: 'body', audit, answer: z.null() },
  }) as unknown as RouteSpec

const names = ['body.name', 'body.channel.type', 'query.ids', 'params.absent']
const request = (body: object = { project_id: 'acme/one' }): Request => ({
  ...{ params: {}, query: {}, body, bytes: new Uint8Array(), headers: new Map(), principal: ann },
  ...{ signal: new AbortController().signal, remoteAddress: '10.0.0.1' },
})
const head = { headers: new Map([['x-forwarded-for', '192.0.2.7, 10.0.0.1']]), requestId: 'r1' }
const OK = new Reply(200, 'application/json', 'null')

/** Keeps what happens in its order. */
class Story implements Auditor {
  readonly events: string[] = []
  readonly about: AuditEvent[] = []

  constructor(private readonly isAway = false) {}

  async begin(event: AuditEvent) {
    this.told('begin', event)
    return async (later: AuditEvent, result: Result) => this.told(`end ${result.status}`, later)
  }
  async done(event: AuditEvent, { status }: Result) {
    this.told(`done ${status}`, event)
  }
  async refused(event: AuditEvent, { errorCode }: Result) {
    this.events.push(`refused ${errorCode}`)
    this.about.push(event)
  }
  private told(what: string, about: AuditEvent): void {
    if (this.isAway) throw errors.auditUnavailable()
    this.events.push(what)
    this.about.push(about)
  }
}

const run = (story: Story, audit: Audit, handle: (asked: Request) => Reply) => {
  const asked = request()
  return audited(story, specOf(audit), asked, head, async () => {
    story.events.push('handled')
    return handle(asked)
  })
}
const refusal = (): Reply => {
  throw errors.noRight('write', 'acme/one')
}

describe('a handler is called', () => {
  it('between its lines', async () => {
    const story = new Story()
    expect(await run(story, { category: 'deletion' }, () => OK)).toBe(OK)
    expect(story.events).toEqual(['begin', 'handled', 'end 200'])
  })

  it('between its lines, if it fails, too', async () => {
    const story = new Story()
    await expect(run(story, { category: 'deletion' }, refusal)).rejects.toMatchObject({ status: 403 })
    expect(story.events).toEqual(['begin', 'handled', 'end 403'])
  })

  it('not at all if the first line can not be written', async () => {
    const story = new Story(true)
    const asked = run(story, { category: 'deletion' }, () => OK)
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'AUDIT_UNAVAILABLE' })
    expect(story.events).toEqual([])
  })

  it('before its one line, and answered only after it', async () => {
    const story = new Story()
    await run(story, { category: 'access', once: true }, () => OK)
    expect(story.events).toEqual(['handled', 'done 200'])
    const away = run(new Story(true), { category: 'access', once: true }, () => OK)
    await expect(away).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' })
  })

  it('with one line for what it refuses, and none for other failures, where one line is written', async () => {
    const story = new Story()
    await run(story, { category: 'access', once: true }, refusal).catch(() => undefined)
    expect(story.events).toEqual(['handled', 'refused NO_RIGHT'])
    const failing = new Story()
    const fail = () => {
      throw errors.badRequest('Send a key.')
    }
    await run(failing, { category: 'access', once: true }, fail).catch(() => undefined)
    expect(failing.events).toEqual(['handled'])
  })

  it('and adds what only it knows to the last line', async () => {
    const story = new Story()
    await run(story, { category: 'access', names: ['body.project_id'] }, (asked) => {
      asked.note?.({ principal: new Principal('u2', 'ben', [{ scope: 'zebra', right: 'admin' }], 'k2') })
      asked.note?.({ project: 'other/one', target: { key_id: 'k3' } })
      return OK
    })
    const [begun, ended] = story.about
    expect(begun).toMatchObject({ username: 'ann', project: 'acme/one', target: { project_id: 'acme/one' } })
    expect(ended).toMatchObject({ username: 'ben', keyId: 'k2', project: 'other/one', entity: 'other' })
    expect(ended!.target).toEqual({ project_id: 'acme/one', key_id: 'k3' })
  })
})

describe('a line', () => {
  it('has who, where from and to what, and of the body only what is named', () => {
    const body = { project_id: 'acme/one', name: 'a', channel: { type: 'slack', url: 'https://s3cr3t' } }
    const event = auditEventOf(
      specOf({ category: 'automation', names }),
      { ...request(body), query: { ids: ['x'] } },
      head,
    )
    expect(event).toEqual({
      ...{ action: 'thing_delete', category: 'automation', requestId: 'r1' },
      ...{ userId: 'u1', username: 'ann', keyId: 'k1', remoteAddress: '10.0.0.1', forwardedFor: '192.0.2.7' },
      ...{ entity: 'acme', project: 'acme/one', target: { name: 'a', type: 'slack', ids: ['x'] } },
    })
  })

  it.each<[string, object, string, string]>([
    ['the body', { project_id: 'a/b' }, 'a', 'a/b'],
    ['its two parts', { entity: 'a', project: 'b' }, 'a', 'a/b'],
    ['a scope', { scope: 'a/b' }, 'a', 'a/b'],
    ['the scope of an entity', { scope: 'a' }, 'a', ''],
    ['nowhere: the entity that the key is of', {}, 'acme', ''],
    ['something else', { project_id: 7, entity: {}, scope: '*' }, 'acme', ''],
  ])('is of the project in %s', (_, body, entity, project) =>
    expect(auditEventOf(specOf({ category: 'deletion' }), request(body), head)).toMatchObject({
      entity,
      project,
    }),
  )

  it('is short, whatever is sent', () => {
    const deep = { a: { a: { a: { a: { a: 1 } } } } }
    const body = { name: 'x'.repeat(1e6), channel: { type: deep } }
    const asked = { ...request(body), query: { ids: Array.from({ length: 1e5 }, () => 'y'.repeat(1e3)) } }
    const { target } = auditEventOf(specOf({ category: 'deletion', names }), asked, head)
    expect(JSON.stringify(target).length).toBeLessThan(50_000)
    expect((target.ids as string[]).at(-1)).toBe('… 99900 more')
  })

  it.each(['evil\nline', '"; DROP', 'a'.repeat(65), ''])(
    'does not repeat %j as the address of a proxy',
    (told) =>
      expect(
        auditEventOf(specOf({ category: 'deletion' }), request(), {
          ...head,
          headers: new Map([['x-forwarded-for', told]]),
        }),
      ).toMatchObject({ forwardedFor: '' }),
  )
})

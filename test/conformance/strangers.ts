/**
 * Tenants are apart: a request of an operation with no key, with one that has no right to the project, with one that may
 * only read it, and with one that asks for what is another's under the name of its own project.
 */
import { expect } from 'vitest'
import type { Answer, Api } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { hex } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { stored } from './table/calls.js'
import { type Operation, type Sent, send, type World } from './table/operation.js'

export class Strangers {
  private constructor(
    /** may write everything of `globex`, nothing else */
    readonly stranger: Api,
    /** may read everything of `acme` */
    readonly reader: Api,
  ) {}

  /** Makes their keys. */
  static async of(server: Endpoint): Promise<Strangers> {
    const stranger = server.api.as(await createKey(server, 'globex', 'write'))
    return new Strangers(stranger, server.api.as(await createKey(server, 'acme', 'read')))
  }

  /**
   * Sends `valid`, a request for a project of `acme`, as everybody who may not, and checks each answer.
   * @param own the project of the stranger, for what is asked under its name
   * @returns whether the stranger may know the secret now, since it was in a request of their own
   */
  async ask(row: Operation, theirs: World, valid: Sent, own: World): Promise<boolean> {
    if (row.right === 'public') {
      if (valid.params?.token !== undefined) await this.askByLinks(row, theirs, valid, own)
      return false
    }
    const unknown = theirs.api.as(`unknown-${hex(16)}`)
    for (const api of [theirs.api.as(null), unknown]) {
      const answer = await send(api, row, theirs.project, valid)
      expect([answer.status, answer.text.includes(theirs.secret)]).toEqual([401, false])
    }
    // Wrong in two ways.
    const headers = { ...valid.headers, 'content-encoding': 'br' }
    expect((await send(unknown, row, theirs.project, { ...valid, headers })).status).toBeGreaterThanOrEqual(
      400,
    )
    if (row.right === 'key') return false
    checkRefused(await send(this.stranger, row, theirs.project, valid), theirs.secret)
    if (row.right === 'write')
      checkRefused(await send(this.reader, row, theirs.project, valid), theirs.secret)
    return this.askUnderOwnName(row, theirs, valid, own)
  }

  /** Asks for what a link leads to with another one: a guess, one that is cut, and a link to a trace of the stranger's own. */
  private async askByLinks(row: Operation, theirs: World, valid: Sent, own: World): Promise<void> {
    const { token = '' } = valid.params ?? {}
    const call = await stored(own)
    const body = { project_id: own.project, kind: 'trace', target: call.trace_id }
    const link = await own.api.ok('/shares/create', body)
    for (const other of [String(link.token), token.slice(1), `${token}A`, String(link.id)]) {
      const sent = { ...valid, params: { ...valid.params, token: other } }
      for (const api of [theirs.api.as(null), this.stranger]) {
        const { status, text } = await send(api, row, own.project, sent)
        expect([status < 500, text.includes(theirs.secret)]).toEqual([true, false])
        if (other !== link.token) expect(status).toBe(404)
      }
    }
  }

  /** Asks for it in a project of the stranger's own. @returns whether the request itself had the secret */
  private async askUnderOwnName(row: Operation, theirs: World, valid: Sent, own: World): Promise<boolean> {
    for (const asked of partlyRenamed(valid, theirs.project, own.project)) {
      const answer = await send(own.api, row, own.project, asked)
      expect([answer.status < 500, answer.text]).toEqual([true, answer.text])
      // Feedback may be about anything; it reads nothing of what it is about.
      if (!row.path.startsWith('/feedback/'))
        expect([answer.status >= 400, answer.text]).toEqual([true, answer.text])
      if (!textOf(asked).includes(theirs.secret)) expect(answer.text).not.toContain(theirs.secret)
    }
    const asked = renamed(valid, theirs.project, own.project)
    const answer = await send(own.api, row, own.project, asked)
    expect([answer.status < 500, answer.text]).toEqual([true, answer.text])
    if (textOf(asked).includes(theirs.secret)) return true
    expect(answer.text).not.toContain(theirs.secret)
    expect(await rowsNamedBy(answer, own)).not.toContain(theirs.secret)
    return false
  }
}

/** 403, a reason, and nothing of the project. */
function checkRefused({ status, text }: Answer, secret: string): void {
  expect([status, text]).toEqual([403, text])
  expect(JSON.parse(text)).toMatchObject({ reason: expect.any(String) })
  expect(text).not.toContain(secret)
}

/** A request, entity and name of its project replaced. */
function renamed({ body, ...rest }: Sent, from: string, to: string): Sent {
  const replace = (text: string) => withParts(text.replaceAll(from, to), from, to)
  const others = JSON.parse(replace(JSON.stringify(rest))) as Sent
  if (body === undefined) return others
  if (!(body instanceof Uint8Array))
    return { ...others, body: JSON.parse(replace(JSON.stringify(body))) as object }
  return { ...others, body: Buffer.from(replace(Buffer.from(body).toString('latin1')), 'latin1') }
}

/** Where a request names its project more than once: each of these left as it is, the others replaced. */
function partlyRenamed(sent: Sent, from: string, to: string): Sent[] {
  const { body, ...rest } = sent
  if (body instanceof Uint8Array) return []
  const pieces = JSON.stringify({ ...rest, body }).split(from)
  // One that the path names, too, is one more.
  if (pieces.length < 2) return []
  return pieces.slice(1).flatMap((_piece, kept) => {
    const text = pieces.reduce((sum, piece, i) => sum + (i - 1 === kept ? from : to) + piece)
    return [JSON.parse(withParts(text, `"${from.split('/')[0]}"`, `"${to.split('/')[0]}"`)) as Sent]
  })
}

/** A text with the name of a project replaced where it stands alone, without its entity. */
function withParts(text: string, from: string, to: string): string {
  const [entity = '', name] = from.split('/')
  const [newEntity = '', newName] = to.split('/')
  const whole = text.replaceAll(`"${entity}"`, `"${newEntity}"`)
  return name === undefined ? whole : whole.replaceAll(`"${name}"`, `"${newName}"`)
}

function textOf({ body, ...rest }: Sent): string {
  const bytes = body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : JSON.stringify(body)
  return `${bytes ?? ''} ${JSON.stringify(rest)}`
}

/** The rows of the table that an answer gives the digest of, as read in a project. */
async function rowsNamedBy(answer: Answer, { api, project }: World): Promise<string> {
  const found = /"digest":"(\w+)"/.exec(answer.text)
  return found === null
    ? ''
    : (await api.post('/table/query', { project_id: project, digest: found[1] })).text
}

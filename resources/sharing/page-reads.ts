/**
 * What the routes of the pages answer to a viewer of one project. Links show what is read through them, so that a link can
 * show nothing that a viewer could not see; what exactly is asked follows from the link and never from who follows it.
 */
import type { z } from 'zod'
import { collect } from '../../platform/bytes/collect.js'
import { errors } from '../../platform/errors/catalog.js'
import { asCaller, type Caller } from '../../platform/fairness/caller.js'
import { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply } from '../../platform/http/request.js'
import { checkBeforeBody, checkWithBody } from '../../platform/http/rights.js'
import type { RouteSpec } from '../../platform/http/route.js'
import type { Share } from './share.js'

/** Most bytes of an answer that has to be looked through. */
const MOST_BYTES = 64 << 20

interface Asked<P extends z.ZodType, B extends z.ZodType> {
  params?: z.input<P>
  body: z.input<B>
}

/** All who follow links share one account, and each link has its part of it. */
export const callerOf = ({ id }: Share): Caller => `:shared/${id}`

export class PageReads {
  private readonly bound: ReadonlyMap<string, Bound>

  /** @param bound the routes of the pages */
  constructor(bound: readonly Bound[]) {
    this.bound = new Map(bound.map((one) => [one.spec.id, one]))
  }

  /** Asks a route of the pages as a viewer of the link's project. @throws as the route does */
  async answer<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    share: Share,
    spec: RouteSpec<P, Q, B, A>,
    { params, body }: Asked<P, B>,
    signal: AbortSignal,
  ): Promise<Reply> {
    const bound = this.bound.get(spec.id)
    if (bound === undefined || spec.access !== 'read') throw errors.internal()
    const principal = new Principal('', '', [{ scope: share.project, right: 'read' }], `share:${share.id}`)
    const request = {
      ...{ principal, signal, headers: new Map<string, string>(), remoteAddress: '', query: undefined },
      ...{ params: spec.params?.parse(params), body: spec.body?.parse(body), bytes: new Uint8Array() },
    }
    checkBeforeBody(bound.spec, principal, { ...request, rawParams: {} })
    checkWithBody(bound.spec, request)
    return asCaller(callerOf(share), async () => {
      const answer = await bound.handle(request)
      return answer instanceof Reply ? answer : Reply.json(answer)
    })
  }

  /** The bytes of an {@link answer}. @throws `TOO_LARGE` (413) too */
  async bytes<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    share: Share,
    spec: RouteSpec<P, Q, B, A>,
    asked: Asked<P, B>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { body } = await this.answer(share, spec, asked, signal)
    if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body)
    try {
      return await asCaller(callerOf(share), () => collect(body, MOST_BYTES))
    } catch (error) {
      if (error instanceof RangeError) throw errors.tooLarge()
      throw error
    }
  }

  /** The value of an {@link answer} that is small. */
  async value<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    share: Share,
    spec: RouteSpec<P, Q, B, A>,
    asked: Asked<P, B>,
    signal: AbortSignal,
  ): Promise<z.output<A>> {
    return JSON.parse((await this.bytes(share, spec, asked, signal)).toString()) as z.output<A>
  }

  /** The lines of an {@link answer} that is small. */
  async lines<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    share: Share,
    spec: RouteSpec<P, Q, B, A>,
    asked: Asked<P, B>,
    signal: AbortSignal,
  ): Promise<z.output<A>[]> {
    const text = (await this.bytes(share, spec, asked, signal)).toString()
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as z.output<A>)
  }
}

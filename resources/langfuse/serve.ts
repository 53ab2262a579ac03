/** Binds routes of Langfuse's SDKs: finds the project that a request is for, and checks the rights on it. */
import type { z } from 'zod'
import { presentedUser } from '../../domain/auth/api-key.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Right } from '../../platform/http/principal.js'
import { type Bound, type Request, serve } from '../../platform/http/request.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { isProjectName } from '../../platform/ids/project.js'

/** A request with its project, `entity/project`: the public key, which is the user name of Basic authentication. */
export type LangfuseRequest<Params = unknown, Query = unknown, Body = unknown> = Request<
  Params,
  Query,
  Body
> & { project: string }

/** As {@link serve}. The caller may do in the project what the route requires. */
export function serveLangfuse<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
>(
  spec: RouteSpec<P, Q, B, A>,
  handle: (request: LangfuseRequest<z.output<P>, z.output<Q>, z.output<B>>) => unknown,
): Bound {
  return serve(spec, (request) => {
    const project = projectOf(request.headers)
    request.note?.({ project })
    request.principal.must(spec.access as Right, project)
    return handle({ ...request, project })
  })
}

/** Who changes something. */
export const authorOf = ({ project, principal }: LangfuseRequest) => ({ project, userId: principal.userId })

/** The project that a request of Langfuse's SDKs is for. @throws `NO_PUBLIC_KEY` (400) */
function projectOf(headers: ReadonlyMap<string, string>): string {
  const user = presentedUser(headers)
  if (user === undefined || !isProjectName(user)) throw errors.noPublicKey()
  return user
}

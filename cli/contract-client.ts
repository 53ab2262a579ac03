/** Asks a server's routes as the contract declares them: method and path, the fields of what is sent, the types of answers. */
import type { z } from 'zod'
import type { RouteSpec } from '../platform/http/route.js'
import { ask, partsOf, projectNamed, type Target } from './http-client.js'

type Route<Body extends z.ZodType, Answer extends z.ZodType> = Pick<
  RouteSpec<z.ZodType, z.ZodType, Body, Answer>,
  'method' | 'path' | 'status' | 'body' | 'answer'
>

/** A body by its fields. Their values come from options, and are the server's to judge. */
type Fields<Body extends z.ZodType> = { [Name in keyof z.input<Body>]: unknown }

/** What an answer of this route is. */
export type AnswerTo<R extends Pick<RouteSpec, 'answer'>> = z.output<R['answer']>

/** What a request has beside its body. */
interface Place {
  /** of the path, by name */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}

/** The answer of a route. @throws AnswerError */
export async function answerOf<Body extends z.ZodType, Answer extends z.ZodType>(
  to: Target,
  { method, path, status }: Route<Body, Answer>,
  body?: Fields<Body>,
  { params = {}, query }: Place = {},
): Promise<z.output<Answer>> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
  const answer = await ask(to, method, query ? `${filled}?${new URLSearchParams(query)}` : filled, body)
  return (status === 204 ? undefined : await answer.json()) as z.output<Answer>
}

/**
 * The answer of a route whose body names a project.
 * @param more of the body
 * @throws AnswerError, and CommandError for what is no project
 */
export function answerIn<Body extends z.ZodType<{ project_id: string }>, Answer extends z.ZodType>(
  to: Target,
  project: string,
  route: Route<Body, Answer>,
  ...[more]: object extends Omit<z.input<Body>, 'project_id'>
    ? [more?: Omit<Fields<Body>, 'project_id'>]
    : [more: Omit<Fields<Body>, 'project_id'>]
): Promise<z.output<Answer>> {
  const body = { ...more, project_id: projectNamed(project) }
  return answerOf(to, route, body as unknown as Fields<Body>)
}

/** The answer of a route whose path names a project. @throws AnswerError, and CommandError for what is no project */
export function answerFor<Body extends z.ZodType, Answer extends z.ZodType>(
  to: Target,
  project: string,
  route: Route<Body, Answer>,
  body?: Fields<Body>,
  params: Readonly<Record<string, string>> = {},
): Promise<z.output<Answer>> {
  return answerOf(to, route, body, { params: { ...params, ...partsOf(project) } })
}

/** That all writes, and nothing else, reach the ingest pods where those are enabled. */
import { describe, expect, it } from 'vitest'
import * as reads from '../../contract/calls-read.js'
import * as writes from '../../contract/calls-write.js'
import * as langfuse from '../../contract/langfuse.js'
import * as otlp from '../../contract/otlp.js'
import { otlpMethods } from '../../ingest/routes.js'
import { one, render } from './testing/render.js'
import { SETS } from './testing/sets.js'

const pathsOf = (module: object): string[] =>
  Object.values(module)
    .filter(
      (value): value is { path: string } => typeof value === 'object' && value !== null && 'path' in value,
    )
    .map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x'))

const everything = render(SETS.everything)

/** Which backend an Ingress gives a path to: expressions, then the longest prefix, by whole parts of the path. */
function backend(path: string): string {
  const [rule] = one(everything, 'Ingress', 'heddle').spec.rules
  const fits = rule!.http.paths.filter((one) =>
    one.pathType === 'Prefix'
      ? path === one.path || path.startsWith(one.path.endsWith('/') ? one.path : `${one.path}/`)
      : new RegExp(`^${one.path}`).test(path),
  )
  fits.sort(
    (a, b) =>
      Number(a.pathType === 'Prefix') - Number(b.pathType === 'Prefix') || b.path.length - a.path.length,
  )
  return fits[0]!.backend.service.name
}

describe('paths', () => {
  it.each([...pathsOf(writes), ...pathsOf(otlp), ...pathsOf(langfuse)])(
    'a write goes to ingest: %s',
    (path) => {
      expect(backend(path)).toBe('r-heddle-ingest')
    },
  )

  it.each([...pathsOf(reads), '/', '/health', '/v2/x/x/evaluations'])(
    'a read goes to tracing: %s',
    (path) => {
      expect(backend(path)).toBe('r-heddle-tracing')
    },
  )

  it('HTTPRoutes say the same', () => {
    const rules = one(everything, 'HTTPRoute', 'heddle').spec.rules
    const route = rules.flatMap(({ matches, backendRefs }) =>
      matches.map(({ path }) => [path.value, backendRefs[0]?.name]),
    )
    const [rule] = one(everything, 'Ingress', 'heddle').spec.rules
    expect(route).toEqual(rule?.http.paths.map(({ path, backend: { service } }) => [path, service.name]))
  })

  it('leaves all of it to tracing where there are no ingest pods', () => {
    const [rule] = one(render({ ingress: { enabled: true } }), 'Ingress', 'heddle').spec.rules
    expect(rule?.http.paths.map(({ path }) => path)).toEqual(['/'])
  })
})

describe('ingress-nginx', () => {
  const PREFIX = 'nginx.ingress.kubernetes.io'
  const given = { [`${PREFIX}/proxy-read-timeout`]: '60', team: 'a' }
  const values = { ingress: { enabled: true, className: 'nginx', annotations: given } }
  const annotationsOf = (name: string) => one(render(values), 'Ingress', name).metadata.annotations

  it('takes bodies of any size and passes streams on; what is given comes first', () => {
    expect(annotationsOf('heddle')).toEqual({
      ...given,
      [`${PREFIX}/proxy-body-size`]: '0',
      [`${PREFIX}/proxy-request-buffering`]: 'off',
      [`${PREFIX}/proxy-buffering`]: 'off',
      [`${PREFIX}/proxy-http-version`]: '1.1',
      [`${PREFIX}/proxy-send-timeout`]: '3600',
    })
  })

  it('passes OTLP over gRPC on, by each of its methods', () => {
    expect(annotationsOf('heddle-grpc')).toMatchObject({ [`${PREFIX}/backend-protocol`]: 'GRPC' })
    const [rule] = one(render(values), 'Ingress', 'heddle-grpc').spec.rules
    const paths = rule!.http.paths.map(({ path }) => `${path}/Export`)
    expect(paths.sort()).toEqual([...otlpMethods([]).keys()].sort())
  })

  it('is told nothing that another controller does not know', () => {
    const ingress = render({ ingress: { enabled: true, className: 'traefik' } }).filter(
      ({ kind }) => kind === 'Ingress',
    )
    expect(ingress.map(({ metadata }) => metadata.annotations)).toEqual([undefined])
  })
})

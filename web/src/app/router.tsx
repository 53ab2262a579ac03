/** The addresses, and the screen of each. Screens are loaded when they are needed. */
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { sessionQuery } from '../api/session'
import { readSearch } from '../screens/traces/search'
import { Failed, Loading } from '../ui/states'
import { Shell } from './shell'

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  errorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
  notFoundComponent: () => <Failed error={new Error('There is no page at this address.')} />,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/signin',
  validateSearch: (search: Record<string, unknown>) => ({
    ...(typeof search.next === 'string' && { next: search.next }),
  }),
  component: lazyRouteComponent(() => import('../screens/signin/sign-in'), 'SignIn'),
})

/** Everything but signing in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ context: { client }, location }) => {
    const session = await client.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/signin', search: { next: location.href } })
  },
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/home/home'), 'Home'),
})

const project = createRoute({
  getParentRoute: () => inside,
  path: '/$entity/$project',
})

const projectIndex = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$entity/$project/weave/traces', params })
  },
})

const weave = createRoute({
  getParentRoute: () => project,
  path: '/weave',
  beforeLoad: ({ params, location }) => {
    if (/\/weave\/?$/.test(location.pathname))
      throw redirect({ to: '/$entity/$project/weave/traces', params })
  },
})

const traces = createRoute({
  getParentRoute: () => weave,
  path: '/traces',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('../screens/traces/traces'), 'Traces'),
})

const object = createRoute({
  getParentRoute: () => weave,
  path: '/objects/$objectId/versions/$digest',
  component: lazyRouteComponent(() => import('../screens/object/object'), 'ObjectVersion'),
})

const op = createRoute({
  getParentRoute: () => weave,
  path: '/ops/$objectId/versions/$digest',
  component: lazyRouteComponent(() => import('../screens/object/object'), 'ObjectVersion'),
})

const call = createRoute({
  getParentRoute: () => project,
  path: '/r/call/$callId',
  component: lazyRouteComponent(() => import('../screens/trace/trace'), 'Trace'),
})

const tree = root.addChildren([
  signIn,
  inside.addChildren([
    home,
    project.addChildren([projectIndex, weave.addChildren([traces, object, op]), call]),
  ]),
])

export const makeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { client },
    defaultPendingComponent: Loading,
    defaultPendingMs: 200,
    // Ids of calls and names of objects stand in addresses as they are.
    pathParamsAllowedCharacters: [':', '@', '+', '='],
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

/** The addresses, and the screen of each; `address.ts` writes them. Screens are loaded when they are needed. */
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { objectQuery } from '../api/objects'
import { sessionQuery } from '../api/session'
import { readAgentSearch, readAgentsSearch } from '../screens/agents/search'
import { readDashboardSearch } from '../screens/dashboards/search'
import { readCompareSearch } from '../screens/evaluations/search'
import { readLeaderboardSearch } from '../screens/leaderboards/search'
import { readObjectSearch, readObjectsSearch } from '../screens/objects/search'
import { readPlaygroundSearch } from '../screens/playground/search'
import { readQueueSearch } from '../screens/queues/search'
import { readSettingsSearch } from '../screens/settings/search'
import { readThreadsSearch } from '../screens/threads/search'
import { readSearch } from '../screens/traces/search'
import type { View } from '../screens/traces/view'
import { readStartSearch, readTrainingSearch } from '../screens/training/search'
import { Failed, Loading } from '../ui/states'
import { read } from './address'
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

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('../screens/settings/settings'), 'Settings'),
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
  beforeLoad: async ({ context: { client }, params, search: { view } }) => {
    if (view === undefined) return
    const { entity, project } = params as Record<string, string>
    const [{ searchOfView }, { val }] = await Promise.all([
      import('../screens/traces/view'),
      client.fetchQuery(objectQuery(`${read(entity!)}/${read(project!)}`, view, 'latest')),
    ])
    const search = searchOfView(val as View)
    throw redirect({ to: '/$entity/$project/weave/traces', params: params as never, search, replace: true })
  },
  component: lazyRouteComponent(() => import('../screens/traces/traces'), 'Traces'),
})

const trainingScreen = lazyRouteComponent(() => import('../screens/training/training'), 'Training')
const objectsScreen = () => import('../screens/objects/objects')
const objectScreen = lazyRouteComponent(() => import('../screens/objects/object'), 'ObjectPage')

const objects = createRoute({
  getParentRoute: () => weave,
  path: '/objects',
  validateSearch: readObjectsSearch,
  component: lazyRouteComponent(objectsScreen, 'Objects'),
})

const datasets = createRoute({
  getParentRoute: () => weave,
  path: '/datasets',
  validateSearch: readObjectsSearch,
  component: lazyRouteComponent(objectsScreen, 'Datasets'),
})

const objectAt = <Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => weave,
    path,
    validateSearch: readObjectSearch,
    component: objectScreen,
  })

/** An object at its newest version, and at one that is named. */
const objectRoutes = [
  objectAt('/objects/$id'),
  objectAt('/objects/$id/versions/$digest'),
  objectAt('/ops/$id'),
  objectAt('/ops/$id/versions/$digest'),
  objectAt('/datasets/$id'),
] as const

/** Lists that are the objects of a type. */
const typedLists = (
  [
    ['/ops', 'Op'],
    ['/prompts', 'Prompt'],
    ['/models', 'Model'],
  ] as const
).map(([path, type]) =>
  createRoute({
    getParentRoute: () => weave,
    path,
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/$entity/$project/weave/objects', params: params as never, search: { type } })
    },
  }),
)

const evaluations = createRoute({
  getParentRoute: () => weave,
  path: '/evaluations',
  validateSearch: ({ view }: Record<string, unknown>) => ({ ...(typeof view === 'string' && { view }) }),
  beforeLoad: ({ params, search }) => {
    if (search.view === undefined) return
    throw redirect({ to: '/$entity/$project/weave/traces', params: params as never, search, replace: true })
  },
  component: lazyRouteComponent(() => import('../screens/evaluations/evaluations'), 'Evaluations'),
})

const comparisonAt = <Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => weave,
    path,
    validateSearch: readCompareSearch,
    component: lazyRouteComponent(() => import('../screens/evaluations/comparison'), 'Comparison'),
  })

const comparisons = [comparisonAt('/evaluations/compare'), comparisonAt('/compare-evaluations')] as const

const leaderboards = createRoute({
  getParentRoute: () => weave,
  path: '/leaderboards',
  component: lazyRouteComponent(() => import('../screens/leaderboards/leaderboards'), 'Leaderboards'),
})

/** SDKs link to it. */
const leaderboard = createRoute({
  getParentRoute: () => weave,
  path: '/leaderboards/$id',
  validateSearch: readLeaderboardSearch,
  component: lazyRouteComponent(() => import('../screens/leaderboards/leaderboard'), 'Leaderboard'),
})

const threads = createRoute({
  getParentRoute: () => weave,
  path: '/threads',
  validateSearch: readThreadsSearch,
  component: lazyRouteComponent(() => import('../screens/threads/threads'), 'Threads'),
})

const thread = createRoute({
  getParentRoute: () => weave,
  path: '/threads/$id',
  component: lazyRouteComponent(() => import('../screens/threads/thread'), 'ThreadPage'),
})

const agents = createRoute({
  getParentRoute: () => weave,
  path: '/agents',
  validateSearch: readAgentsSearch,
  component: lazyRouteComponent(() => import('../screens/agents/agents'), 'Agents'),
})

const agent = createRoute({
  getParentRoute: () => weave,
  path: '/agents/named/$id',
  validateSearch: readAgentSearch,
  component: lazyRouteComponent(() => import('../screens/agents/agent'), 'AgentPage'),
})

const conversations = createRoute({
  getParentRoute: () => weave,
  path: '/agents/conversations',
  validateSearch: readAgentsSearch,
  component: lazyRouteComponent(() => import('../screens/agents/conversations'), 'Conversations'),
})

const dashboardAt = <Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => weave,
    path,
    validateSearch: readDashboardSearch,
    component: lazyRouteComponent(() => import('../screens/dashboards/dashboard'), 'Dashboard'),
  })

const dashboards = [dashboardAt('/dashboards'), dashboardAt('/dashboards/$id')] as const

const conversation = createRoute({
  getParentRoute: () => weave,
  path: '/agents/conversations/$id',
  component: lazyRouteComponent(() => import('../screens/agents/conversation'), 'ConversationPage'),
})

const queues = createRoute({
  getParentRoute: () => weave,
  path: '/queues',
  component: lazyRouteComponent(() => import('../screens/queues/queues'), 'Queues'),
})

const queue = createRoute({
  getParentRoute: () => weave,
  path: '/queues/$id',
  validateSearch: readQueueSearch,
  component: lazyRouteComponent(() => import('../screens/queues/queue'), 'QueuePage'),
})

/** Jobs of all projects. */
const allTraining = createRoute({
  getParentRoute: () => inside,
  path: '/training',
  validateSearch: readTrainingSearch,
  component: trainingScreen,
  // Links to jobs once had their ids behind a hash.
  beforeLoad: ({ location: { hash } }) => {
    if (hash !== '') throw redirect({ to: '/training', search: { jobs: hash }, hash: '' })
  },
})

const training = createRoute({
  getParentRoute: () => weave,
  path: '/training',
  validateSearch: readTrainingSearch,
  component: trainingScreen,
})

const newJob = createRoute({
  getParentRoute: () => weave,
  path: '/training/new',
  validateSearch: readStartSearch,
  component: lazyRouteComponent(() => import('../screens/training/new-job'), 'NewJob'),
})

const playground = createRoute({
  getParentRoute: () => weave,
  path: '/playground',
  validateSearch: readPlaygroundSearch,
  component: lazyRouteComponent(() => import('../screens/playground/playground'), 'Playground'),
})

const projectSettings = createRoute({
  getParentRoute: () => weave,
  path: '/settings',
  component: lazyRouteComponent(() => import('../screens/settings/project'), 'ProjectSettings'),
})

const call = createRoute({
  getParentRoute: () => project,
  path: '/r/call/$id',
  component: lazyRouteComponent(() => import('../screens/trace/trace'), 'Trace'),
})

const tree = root.addChildren([
  signIn,
  inside.addChildren([
    home,
    settings,
    allTraining,
    project.addChildren([
      projectIndex,
      weave.addChildren([
        traces,
        objects,
        datasets,
        ...objectRoutes,
        ...typedLists,
        evaluations,
        ...comparisons,
        leaderboards,
        leaderboard,
        threads,
        thread,
        agents,
        agent,
        conversations,
        conversation,
        playground,
        ...dashboards,
        projectSettings,
        queues,
        queue,
        training,
        newJob,
      ]),
      call,
    ]),
  ]),
])

export const makeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { client },
    defaultPendingComponent: Loading,
    defaultPendingMs: 200,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

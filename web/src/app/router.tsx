/** The addresses, and the screen of each; `address.ts` writes them. Screens are loaded when they are needed. */
import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import { objectQuery } from '../api/objects'
import { sessionQuery } from '../api/session'
import { readAgentSearch, readAgentsSearch } from '../screens/agents/search'
import { readAlertsSearch } from '../screens/alerts/search'
import { readDashboardSearch } from '../screens/dashboards/search'
import { readEndUsersSearch } from '../screens/end-users/search'
import { readCompareSearch, readRunsSearch } from '../screens/evaluations/search'
import { readLeaderboardSearch } from '../screens/leaderboards/search'
import { readMonitorsSearch } from '../screens/monitors/search'
import { readObjectSearch, readObjectsSearch } from '../screens/objects/search'
import { readPlaygroundSearch } from '../screens/playground/search'
import { readPromptsSearch } from '../screens/prompts/search'
import { readQueueSearch } from '../screens/queues/search'
import { readRulesSearch } from '../screens/rules/search'
import { readSettingsSearch } from '../screens/settings/search'
import { readSqlSearch } from '../screens/sql/search'
import { readThreadsSearch } from '../screens/threads/search'
import { readTraceSearch } from '../screens/trace/search'
import { readSearch } from '../screens/traces/search'
import type { View } from '../screens/traces/view'
import { readStartSearch, readTrainingSearch } from '../screens/training/search'
import { Empty, Failed, Loading } from '../ui/states'
import { read } from './address'
import { loaded } from './connection'
import { Open } from './open'
import { textsOf } from './search-text'
import { Shell } from './shell'

/** A screen that is loaded when it is needed. */
const screen = <Parts extends Record<string, unknown>, Name extends keyof Parts>(
  load: () => Promise<Parts>,
  name: Name,
) => lazyRouteComponent(() => loaded(load), name)

/** Where a screen broke. The shell stays, unless it is what broke. */
function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Failed error={error} retry={retry}>
      <Link to="/">Go to the projects</Link>
    </Failed>
  )
}

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  notFoundComponent: () => (
    <Empty title="There is no page at this address">
      <Link to="/">Go to the projects</Link>
    </Empty>
  ),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/signin',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, ['next', 'error']),
  component: screen(() => import('../screens/signin/sign-in'), 'SignIn'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: screen(() => import('../screens/people/invitation'), 'Invitation'),
})

/** What a link shows, whoever is signed in. */
const shared = createRoute({
  getParentRoute: () => root,
  path: '/share/$token',
  beforeLoad: ({ params: { token } }) => {
    // A project of an entity of this name.
    if (!/^[\w-]{43}$/.test(token))
      throw redirect({
        to: '/$entity/$project/weave/traces',
        params: { entity: 'share', project: token },
      })
  },
  validateSearch: (search: Record<string, unknown>) => textsOf(search, ['call']),
  component: screen(() => import('../screens/sharing/shared'), 'Shared'),
})

/** Everything for which one is signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ context: { client }, location }) => {
    const session = await client.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/signin', search: { next: location.href } })
  },
})

/** What anybody may read, signed in or not. */
const open = createRoute({
  getParentRoute: () => root,
  id: 'open',
  component: Open,
  beforeLoad: ({ context: { client } }) => client.ensureQueryData(sessionQuery),
})

const docs = createRoute({
  getParentRoute: () => open,
  path: '/docs',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, ['page']),
  component: screen(() => import('../screens/docs/docs'), 'Docs'),
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: screen(() => import('../screens/home/home'), 'Home'),
})

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: screen(() => import('../screens/settings/settings'), 'Settings'),
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
    throw redirect({ to: '/$entity/$project/weave/traces', params, search, replace: true })
  },
  component: screen(() => import('../screens/traces/traces'), 'Traces'),
})

const trainingScreen = screen(() => import('../screens/training/training'), 'Training')

/** An address of a screen that has several. */
const at = <Parent extends AnyRoute, Path extends string>(parent: () => Parent, path: Path) =>
  createRoute({ getParentRoute: parent, path })

const objectsScreen = () => import('../screens/objects/objects')

const objectsOfType = createRoute({
  getParentRoute: () => weave,
  id: 'objects-of-type',
  validateSearch: readObjectsSearch,
})

const objects = createRoute({
  getParentRoute: () => objectsOfType,
  path: '/objects',
  component: screen(objectsScreen, 'Objects'),
})

const prompts = createRoute({
  getParentRoute: () => weave,
  path: '/prompts',
  validateSearch: readPromptsSearch,
  component: screen(() => import('../screens/prompts/prompts'), 'Prompts'),
})

const datasets = createRoute({
  getParentRoute: () => objectsOfType,
  path: '/datasets',
  component: screen(objectsScreen, 'Datasets'),
})

/** An object at its newest version, and at one that is named. */
const object = createRoute({
  getParentRoute: () => weave,
  id: 'object',
  validateSearch: readObjectSearch,
  component: screen(() => import('../screens/objects/object'), 'ObjectPage'),
})

const objectRoutes = [
  at(() => object, '/objects/$id'),
  at(() => object, '/objects/$id/versions/$digest'),
  at(() => object, '/ops/$id'),
  at(() => object, '/ops/$id/versions/$digest'),
  at(() => object, '/datasets/$id'),
] as const

/** Lists that are the objects of a type. */
const typedLists = (
  [
    ['/ops', 'Op'],
    ['/models', 'Model'],
  ] as const
).map(([path, type]) =>
  createRoute({
    getParentRoute: () => weave,
    path,
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/$entity/$project/weave/objects', params, search: { type } })
    },
  }),
)

const evaluations = createRoute({
  getParentRoute: () => weave,
  path: '/evaluations',
  validateSearch: (search: Record<string, unknown>) => ({
    ...readRunsSearch(search),
    ...textsOf(search, ['view']),
  }),
  beforeLoad: ({ params, search: { view } }) => {
    if (view === undefined) return
    const search = { view }
    throw redirect({ to: '/$entity/$project/weave/traces', params, search, replace: true })
  },
  component: screen(() => import('../screens/evaluations/evaluations'), 'Evaluations'),
})

const comparison = createRoute({
  getParentRoute: () => weave,
  id: 'comparison',
  validateSearch: readCompareSearch,
  component: screen(() => import('../screens/evaluations/comparison'), 'Comparison'),
})

const comparisons = [
  at(() => comparison, '/evaluations/compare'),
  at(() => comparison, '/compare-evaluations'),
] as const

const leaderboards = createRoute({
  getParentRoute: () => weave,
  path: '/leaderboards',
  component: screen(() => import('../screens/leaderboards/leaderboards'), 'Leaderboards'),
})

/** SDKs link to it. */
const leaderboard = createRoute({
  getParentRoute: () => weave,
  path: '/leaderboards/$id',
  validateSearch: readLeaderboardSearch,
  component: screen(() => import('../screens/leaderboards/leaderboard'), 'Leaderboard'),
})

const threads = createRoute({
  getParentRoute: () => weave,
  path: '/threads',
  validateSearch: readThreadsSearch,
  component: screen(() => import('../screens/threads/threads'), 'Threads'),
})

const thread = createRoute({
  getParentRoute: () => weave,
  path: '/threads/$id',
  component: screen(() => import('../screens/threads/thread'), 'ThreadPage'),
})

const endUsers = createRoute({
  getParentRoute: () => weave,
  path: '/end-users',
  validateSearch: readEndUsersSearch,
  component: screen(() => import('../screens/end-users/end-users'), 'EndUsers'),
})

const endUser = createRoute({
  getParentRoute: () => weave,
  path: '/end-users/$id',
  component: screen(() => import('../screens/end-users/end-user'), 'EndUserPage'),
})

const agents = createRoute({
  getParentRoute: () => weave,
  path: '/agents',
  validateSearch: readAgentsSearch,
  component: screen(() => import('../screens/agents/agents'), 'Agents'),
})

const agent = createRoute({
  getParentRoute: () => weave,
  path: '/agents/named/$id',
  validateSearch: readAgentSearch,
  component: screen(() => import('../screens/agents/agent'), 'AgentPage'),
})

const conversations = createRoute({
  getParentRoute: () => weave,
  path: '/agents/conversations',
  validateSearch: readAgentsSearch,
  component: screen(() => import('../screens/agents/conversations'), 'Conversations'),
})

const dashboard = createRoute({
  getParentRoute: () => weave,
  id: 'dashboard',
  validateSearch: readDashboardSearch,
  component: screen(() => import('../screens/dashboards/dashboard'), 'Dashboard'),
})

const dashboards = [at(() => dashboard, '/dashboards'), at(() => dashboard, '/dashboards/$id')] as const

const sql = createRoute({
  getParentRoute: () => weave,
  path: '/sql',
  validateSearch: readSqlSearch,
  component: screen(() => import('../screens/sql/sql'), 'Sql'),
})

const conversation = createRoute({
  getParentRoute: () => weave,
  path: '/agents/conversations/$id',
  component: screen(() => import('../screens/agents/conversation'), 'ConversationPage'),
})

const queues = createRoute({
  getParentRoute: () => weave,
  path: '/queues',
  component: screen(() => import('../screens/queues/queues'), 'Queues'),
})

const monitors = createRoute({
  getParentRoute: () => weave,
  path: '/monitors',
  validateSearch: readMonitorsSearch,
  component: screen(() => import('../screens/monitors/monitors'), 'Monitors'),
})

const alerts = createRoute({
  getParentRoute: () => weave,
  path: '/alerts',
  validateSearch: readAlertsSearch,
  component: screen(() => import('../screens/alerts/alerts'), 'Alerts'),
})

const rules = createRoute({
  getParentRoute: () => weave,
  path: '/rules',
  validateSearch: readRulesSearch,
  component: screen(() => import('../screens/rules/rules'), 'Rules'),
})

const queue = createRoute({
  getParentRoute: () => weave,
  path: '/queues/$id',
  validateSearch: readQueueSearch,
  component: screen(() => import('../screens/queues/queue'), 'QueuePage'),
})

const mentions = createRoute({
  getParentRoute: () => inside,
  path: '/mentions',
  component: screen(() => import('../screens/mentions/mentions'), 'Mentions'),
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
  component: screen(() => import('../screens/training/new-job'), 'NewJob'),
})

const playground = createRoute({
  getParentRoute: () => weave,
  path: '/playground',
  validateSearch: readPlaygroundSearch,
  component: screen(() => import('../screens/playground/playground'), 'Playground'),
})

const projectSettings = createRoute({
  getParentRoute: () => weave,
  path: '/settings',
  component: screen(() => import('../screens/settings/project'), 'ProjectSettings'),
})

const call = createRoute({
  getParentRoute: () => project,
  path: '/r/call/$id',
  validateSearch: readTraceSearch,
  component: screen(() => import('../screens/trace/trace'), 'Trace'),
})

const tree = root.addChildren([
  signIn,
  invitation,
  shared,
  open.addChildren([docs]),
  inside.addChildren([
    home,
    settings,
    mentions,
    allTraining,
    project.addChildren([
      projectIndex,
      weave.addChildren([
        traces,
        objectsOfType.addChildren([objects, datasets]),
        prompts,
        object.addChildren(objectRoutes),
        ...typedLists,
        evaluations,
        comparison.addChildren(comparisons),
        leaderboards,
        leaderboard,
        threads,
        thread,
        endUsers,
        endUser,
        agents,
        agent,
        conversations,
        conversation,
        playground,
        dashboard.addChildren(dashboards),
        sql,
        projectSettings,
        queues,
        monitors,
        alerts,
        rules,
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
    // What a route's reader does not know is not its: the router would keep it beside what was read.
    search: { strict: true },
    defaultErrorComponent: Broken,
    defaultPendingComponent: Loading,
    defaultPendingMs: 200,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

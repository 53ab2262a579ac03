/** Starts the application. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { onSignedOut } from './api/client'
import { AppQueryClient } from './api/query-client'
import { sessionQuery } from './api/session'
import { canonical } from './app/address'
import { Connection, isWorthARetry, retryDelay, watchConnection } from './app/connection'
import { listenToKeys } from './app/keys'
import { Outdated, queryCache } from './app/outdated'
import { makeRouter } from './app/router'
import { useTheme } from './app/theme'
import './ui/base.css'

const client = new AppQueryClient({
  queryCache,
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: isWorthARetry,
      retryDelay,
    },
    // Who presses a button learns at once that nothing came of it.
    mutations: { networkMode: 'always' },
  },
})
history.replaceState(history.state, '', canonical(location.pathname) + location.search + location.hash)
const router = makeRouter(client)
// The screen's file comes while the service says who is signed in.
for (const { options } of router.getMatchedRoutes(router.latestLocation.pathname)[0])
  void options.component?.preload?.()
watchConnection()
onSignedOut(() => {
  client.setQueryData(sessionQuery.queryKey, null)
  const { pathname, href } = router.state.location
  // Who is invited may be nobody yet, and the documentation is for anybody.
  if (!['/signin', '/invitation', '/docs'].includes(pathname))
    void router.navigate({ to: '/signin', search: { next: href } })
})
listenToKeys()

function App() {
  useTheme()
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <Outdated />
      <Connection />
    </QueryClientProvider>
  )
}

createRoot(document.getElementById('root')!).render(<App />)

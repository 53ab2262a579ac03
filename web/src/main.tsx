/** Starts the application. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ApiError, onSignedOut } from './api/client'
import { sessionQuery } from './api/session'
import { canonical } from './app/address'
import { listenToKeys } from './app/keys'
import { makeRouter } from './app/router'
import { useTheme } from './app/theme'
import './ui/base.css'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // What the caller did wrong stays wrong.
      retry: (times, error) =>
        times < 2 && !(error instanceof ApiError && error.status < 500 && error.status !== 429),
    },
  },
})
history.replaceState(history.state, '', canonical(location.pathname) + location.search + location.hash)
const router = makeRouter(client)
onSignedOut(() => {
  client.setQueryData(sessionQuery.queryKey, null)
  const { pathname, href } = router.state.location
  if (pathname !== '/signin') void router.navigate({ to: '/signin', search: { next: href } })
})
listenToKeys()

function App() {
  useTheme()
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

createRoot(document.getElementById('root')!).render(<App />)

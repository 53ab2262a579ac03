/** The addresses of media at this service. */
import { queryOptions } from '@tanstack/react-query'
import { post } from './client'

/** The address of media at this service, for an hour; it fails for what was never uploaded. */
export const mediaQuery = (project: string, uri: string) =>
  queryOptions({
    queryKey: ['media', project, uri],
    staleTime: 50 * 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      const { download_urls } = await post('/files/resolve_url', { project_id: project, uris: [uri] }, signal)
      // A proxy may know this service by another name than the page does.
      const { pathname, search } = new URL(download_urls[0]!)
      return pathname + search
    },
  })

/** Chats with models: which there are, and what they answer. */
import { queryOptions } from '@tanstack/react-query'
import { get, postLines, type Schemas } from './client'
import { readProviders } from './providers'

type Inputs = Schemas['CompletionsCreateReq']['inputs']

/** Names that a completion takes: models served here, and those of providers that the project describes. */
export const modelsQuery = (project: string) =>
  queryOptions({
    queryKey: ['models', project],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const [served, providers] = await Promise.all([
        get('/inference/router/aggregator/models', signal),
        readProviders(project, signal),
      ])
      return [
        ...served.data.map(({ id }) => id),
        ...providers.flatMap(({ models }) => models.map(({ asked }) => asked)),
      ]
    },
  })

/** A completion as it comes, many lines at a time. */
export const streamCompletion = <Line>(project: string, inputs: Inputs, signal: AbortSignal) =>
  postLines<'/completions/create_stream', Line>(
    '/completions/create_stream',
    { project_id: project, inputs },
    signal,
  )

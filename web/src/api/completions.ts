/** Chats with models: which there are, and what they answer. */
import { queryOptions } from '@tanstack/react-query'
import { get, post, postLines, type Schemas } from './client'

type Inputs = Schemas['CompletionsCreateReq']['inputs']

/** Names that a completion takes: models served here, and those of providers that the project describes. */
export const modelsQuery = (project: string) =>
  queryOptions({
    queryKey: ['models', project],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const [served, { objs }] = await Promise.all([
        get('/inference/router/aggregator/models', signal),
        post(
          '/objs/query',
          {
            project_id: project,
            filter: { latest_only: true, base_object_classes: ['ProviderModel'] },
            metadata_only: true,
          },
          signal,
        ),
      ])
      return [...served.data.map(({ id }) => id), ...objs.map(({ object_id: id }) => id)]
    },
  })

/** A completion as it comes, many lines at a time. */
export const streamCompletion = <Line>(project: string, inputs: Inputs, signal: AbortSignal) =>
  postLines<'/completions/create_stream', Line>(
    '/completions/create_stream',
    { project_id: project, inputs },
    signal,
  )

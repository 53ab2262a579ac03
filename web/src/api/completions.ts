/** Chats with models: which there are, and what they answer. */
import { queryOptions } from '@tanstack/react-query'
import { get, post, postLines, type Schemas } from './client'
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

/** The text that a model answers; its call is not among the project's. @throws Error with what the model's provider says */
export async function complete(project: string, inputs: Inputs, signal?: AbortSignal): Promise<string> {
  const { response } = await post(
    '/completions/create',
    { project_id: project, inputs, track_llm_call: false },
    signal,
  )
  const { error, choices } = response as {
    error?: { message?: string }
    choices?: { message?: { content?: string | null } }[]
  }
  if (error) throw new Error(error.message ?? 'The model failed.')
  return choices?.[0]?.message?.content ?? ''
}

/** A completion as it comes, many lines at a time. */
export const streamCompletion = <Line>(project: string, inputs: Inputs, signal: AbortSignal) =>
  postLines<'/completions/create_stream', Line>(
    '/completions/create_stream',
    { project_id: project, inputs },
    signal,
  )

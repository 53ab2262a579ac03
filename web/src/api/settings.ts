/** What is set for a project: how long it keeps calls, what happens to them as they arrive, prices, and what it stores. */
import { queryOptions } from '@tanstack/react-query'
import { equals, post, type Schemas } from './client'

export type Price = Schemas['CostQueryOutput']

export const settingsQuery = (project: string) =>
  queryOptions({
    queryKey: ['settings', project],
    queryFn: async ({ signal }) => {
      const body = { project_id: project }
      const [ttl, sensitive, sampling, tokenIds] = await Promise.all([
        post('/project/ttl_settings/read', body, signal),
        post('/project/sensitive_data_settings', body, signal),
        post('/project/ingest_sampling_settings/read', body, signal),
        post('/project/token_ids_settings/read', body, signal),
      ])
      return { days: ttl.retention_days, policy: sensitive.policy, keepsTokenIds: tokenIds.keep, ...sampling }
    },
  })

/** @param days null: for ever */
export const keepFor = (project: string, days: number | null) =>
  post('/project/ttl_settings/update', { project_id: project, retention_days: days })

export const keepTokenIds = (project: string, keep: boolean) =>
  post('/project/token_ids_settings/update', { project_id: project, keep })

export const storedQuery = (project: string) =>
  queryOptions({
    queryKey: ['stored', project],
    queryFn: ({ signal }) => post('/project/stats', { project_id: project }, signal),
  })

/** The project's own prices, the newest first. */
export const pricesQuery = (project: string) =>
  queryOptions({
    queryKey: ['prices', project],
    queryFn: async ({ signal }) => {
      const sort_by = [{ field: 'effective_date', direction: 'desc' as const }]
      return (await post('/cost/query', { project_id: project, sort_by }, signal)).results
    },
  })

/** Of when the prices are of models that have none in the project. */
export const defaultPricesQuery = (project: string) =>
  queryOptions({
    queryKey: ['default-prices', project],
    queryFn: ({ signal }) => post('/cost/defaults', { project_id: project }, signal),
  })

/** @param per of a token, in US dollars */
export const setPrice = (project: string, model: string, per: { input: number; output: number }) =>
  post('/cost/create', {
    project_id: project,
    costs: { [model]: { prompt_token_cost: per.input, completion_token_cost: per.output } },
  })

export const removePrice = (project: string, id: string) =>
  post('/cost/purge', {
    project_id: project,
    query: { $expr: equals('id', id) },
  })

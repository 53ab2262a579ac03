/** Monitors: what scores calls as they come. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { post, type Schemas } from './client'

export type Monitor = Schemas['MonitorStatus']

/** By name, with what they matched. */
export const monitorsQuery = (project: string) =>
  queryOptions({
    queryKey: ['monitors', project],
    queryFn: async ({ signal }) =>
      (await post('/monitors/query', { project_id: project }, signal)).monitors as Monitor[],
    refetchInterval: 10_000,
  })

/** What it said stays. */
export const deleteMonitor = (project: string, monitor: string) =>
  post('/monitors/delete', { project_id: project, monitor })

export type Signal = Schemas['SignalStatus']['signal']

/** The signals that run by themselves, and what they found today. */
export const signalsQuery = (project: string) =>
  queryOptions({
    queryKey: ['signals', project],
    queryFn: ({ signal }) => post('/signals/query', { project_id: project }, signal),
    refetchInterval: 10_000,
  })

export interface Matching {
  op_names: string[] | null
  query: Schemas['Query'] | null
  sampling_rate: number
  signals: Signal[]
  scorer_refs: string[]
}

export type Preview = Schemas['MonitorPreviewRes']

/** Which calls of the last week a monitor would match, and what it would say of the newest. */
export const previewQuery = (project: string, matching: Matching) =>
  queryOptions({
    queryKey: ['monitors', project, 'preview', matching],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => post('/monitors/preview', { project_id: project, ...matching }, signal),
  })

/** What a scorer of a monitor and people said of the same calls. */
export const agreementQuery = (
  project: string,
  monitor: string,
  scorer: string | undefined,
  people: Schemas['MonitorAgreementReq']['people'],
) =>
  queryOptions({
    queryKey: ['monitors', project, 'agreement', monitor, scorer, people],
    queryFn: ({ signal }) =>
      post('/monitors/agreement', { project_id: project, monitor, scorer, people }, signal),
  })

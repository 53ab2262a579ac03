/** Alerts: metrics that are watched, what was noticed, and the channels by which people are notified. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { post, type Schemas } from './client'

export type Alert = Schemas['AlertStatus']
export type AlertState = Alert['state']
export type AlertEvent = Schemas['AlertEvent']
export type Channel = Schemas['ChannelStatus']
export type NewChannel = Schemas['ChannelSaveReq']['channel']
export type PreviewRequest = Omit<Schemas['AlertPreviewReq'], 'project_id'>
export type PreviewPoint = Schemas['AlertPreviewRes']['points'][number]

const POLL_MS = 10_000
const PREVIEW_MS = 60_000
/** Of the history. */
const EVENTS = 100

/** By name, with how they stand. */
export const alertsQuery = (project: string) =>
  queryOptions({
    queryKey: ['alerts', project, 'all'],
    queryFn: async ({ signal }) => (await post('/alerts/query', { project_id: project }, signal)).alerts,
    refetchInterval: POLL_MS,
  })

/** What an alert would have judged. @param request undefined: it is not whole yet */
export const alertPreviewQuery = (project: string, request: PreviewRequest | undefined) =>
  queryOptions({
    queryKey: ['alert-preview', project, request],
    enabled: request !== undefined,
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: PREVIEW_MS,
    queryFn: async ({ signal }) =>
      (await post('/alerts/preview', { project_id: project, ...request! }, signal)).points,
  })

/** The newest events first. @param alert its name; undefined: of all */
export const alertHistoryQuery = (project: string, alert: string | undefined) =>
  queryOptions({
    queryKey: ['alerts', project, 'history', alert],
    queryFn: async ({ signal }) => {
      const asked = { project_id: project, alert: alert ?? null, limit: EVENTS }
      return (await post('/alerts/history', asked, signal)).events
    },
    refetchInterval: POLL_MS,
  })

export const channelsQuery = (project: string) =>
  queryOptions({
    queryKey: ['channels', project],
    queryFn: async ({ signal }) =>
      (await post('/notifications/channels/query', { project_id: project }, signal)).channels,
  })

export const saveAlert = (body: Schemas['AlertSaveReq']) => post('/alerts/save', body)

export const deleteAlert = (project: string, alert: string) =>
  post('/alerts/delete', { project_id: project, alert })

/** @param until null: no longer */
export const muteAlert = (project: string, alert: string, until: Date | null) =>
  post('/alerts/mute', { project_id: project, alert, until: until?.toISOString() ?? null })

/** @returns the signing secret of a webhook, this once */
export const saveChannel = async (project: string, name: string, channel: NewChannel) =>
  (await post('/notifications/channels/save', { project_id: project, name, channel })).signing_secret

export const deleteChannel = (project: string, channel: string) =>
  post('/notifications/channels/delete', { project_id: project, channel })

export const testChannel = (project: string, channel: string) =>
  post('/notifications/channels/test', { project_id: project, channel })

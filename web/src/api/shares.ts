/** Links to one thing of a project for people without a key. */
import { queryOptions } from '@tanstack/react-query'
import { post, type Schemas } from './client'

export type ShareKind = Schemas['Share']['kind']

/** The links to a thing, the newest first. */
export const sharesQuery = (project: string, kind: ShareKind, target: string) =>
  queryOptions({
    queryKey: ['shares', project, kind, target],
    queryFn: ({ signal }) => post('/shares/query', { project_id: project, kind, target }, signal),
  })

/** @returns the part of the address that opens it, which is shown only now */
export const makeShare = (
  project: string,
  given: { kind: ShareKind; target: string; seconds: number; note: string },
) => post('/shares/create', { project_id: project, ...given })

export const revokeShare = (project: string, share: string) =>
  post('/shares/revoke', { project_id: project, share })

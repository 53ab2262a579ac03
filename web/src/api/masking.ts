/** Masking: rules by which texts are changed before anything is stored, as far as who is signed in administers it. */
import { queryOptions } from '@tanstack/react-query'
import { post, type Schemas } from './client'

export type MaskRule = Schemas['MaskRule']
export type MaskPreview = Schemas['MaskingPreviewRes']

/** The rules of a scope, and those of wider ones. */
export const maskingQuery = (scope: string) =>
  queryOptions({
    queryKey: ['masking', scope],
    retry: false,
    queryFn: ({ signal }) => post('/masking/query', { scope }, signal),
  })

/** @param version as it was read: somebody else may have saved since */
export const saveMasking = (scope: string, rules: MaskRule[], version: string | null) =>
  post('/masking/save', { scope, rules, expected_version: version })

/** How often rules have masked something in the last 30 days. */
export const maskingCountsQuery = (scope: string) =>
  queryOptions({
    queryKey: ['masking-counts', scope],
    retry: false,
    queryFn: async ({ signal }) => (await post('/masking/counts', { scope }, signal)).counts,
  })

/** What rules would do with the newest calls. @param rules null: those that hold */
export const previewMasking = (project: string, rules: MaskRule[] | null): Promise<MaskPreview> =>
  post('/masking/preview', { project_id: project, rules })

/** Rules: what is done by itself when something happens, what it would be done for, and what was done. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, post, queryCalls, type Schemas } from './client'

export type Rule = Schemas['RuleStatus']
export type RuleDefinition = Schemas['RuleDefinition']
export type RuleRun = Schemas['RuleRun']
export type RuleActionRun = RuleRun['actions'][number]
export type RuleSubject = Schemas['RuleSubject']
export type RuleSave = Schemas['RuleSaveReq']
export type RunState = RuleActionRun['state']
export type RulePreview = Omit<Schemas['RulePreviewReq'], 'project_id'>

const POLL_MS = 5_000
const PREVIEW_MS = 60_000
const RUNS = 100
/** Calls that say which ops and fields there are. */
const LOOKED_AT = 100

/** With what they did. */
export const rulesQuery = (project: string) =>
  queryOptions({
    queryKey: ['rules', project, 'all'],
    queryFn: async ({ signal }) => (await post('/rules/query', { project_id: project }, signal)).rules,
    refetchInterval: POLL_MS,
  })

/** What would have set off a rule. @param request undefined: it is not whole yet */
export const rulePreviewQuery = (project: string, request: RulePreview | undefined) =>
  queryOptions({
    queryKey: ['rule-preview', project, request],
    enabled: request !== undefined,
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: PREVIEW_MS,
    queryFn: ({ signal }) => post('/rules/preview', { project_id: project, ...request! }, signal),
  })

/** What rules did, the newest first. @param rule its name; undefined: of all */
export const ruleRunsQuery = (project: string, rule: string | undefined, state: RunState | undefined) =>
  queryOptions({
    queryKey: ['rules', project, 'runs', rule, state],
    queryFn: async ({ signal }) => {
      const asked = { project_id: project, rule: rule ?? null, state: state ?? null, limit: RUNS }
      return (await post('/rules/runs', asked, signal)).runs
    },
    refetchInterval: POLL_MS,
  })

export const saveRule = (body: RuleSave) => post('/rules/save', body)

export const activateRule = (project: string, rule: string, active: boolean) =>
  post('/rules/activate', { project_id: project, rule, active })

export const deleteRule = (project: string, rule: string) =>
  post('/rules/delete', { project_id: project, rule })

/** Tries the failed actions of a rule again. @param run its id; null: of all runs */
export const retryRule = (project: string, rule: string, run: string | null) =>
  post('/rules/retry', { project_id: project, rule, run })

/** All aliases of a project's objects, without the one that the newest version always has. */
export const aliasesQuery = (project: string) =>
  queryOptions({
    queryKey: ['objects', project, 'aliases'],
    queryFn: async ({ signal }) => {
      const path = `/aliases?project_id=${encodeURIComponent(project)}` as '/aliases'
      return (await get(path, signal)).aliases.filter((alias) => alias !== 'latest')
    },
  })

/** The newest calls of all kinds, as far as conditions on them need them. */
export const newestCallsQuery = (project: string) =>
  queryOptions({
    queryKey: ['calls', project, 'newest'],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      queryCalls(
        {
          project_id: project,
          sort_by: [{ field: 'started_at', direction: 'desc' }],
          ...{ limit: LOOKED_AT, omit_large_values: true, cut_texts_at: 200 },
        },
        signal,
      ),
  })

/**
 * What the calls made with prompts say of them: how often they were used, how fast and dear that was, what people and
 * scorers thought. By SQL, so that it can be asked otherwise, too.
 */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { runSql } from './sql'

/** How far back uses are counted, unless somebody chooses otherwise. */
export const USES_DAYS = 30
const since = (days: number) => `started_at >= now() - INTERVAL ${days} DAY`
const SINCE = since(USES_DAYS)

/** What a prompt was used for. */
export interface PromptUse {
  name: string
  calls: number
  errors: number
  /** ms */
  p95: number | null
  /** dollars; null: no price is known */
  cost: number | null
  last_used: string
}

/** As of a prompt, of each version as the calls name it. */
export interface VersionUse extends Omit<PromptUse, 'name'> {
  version: string
  p50: number | null
  tokens: number
  /** reactions of people */
  up: number
  down: number
}

/** The mean of a score of a version's calls; of true and false, the share of true. */
export interface VersionScore {
  version: string
  score: string
  times: number
  mean: number
}

const paid = (of: string, within = SINCE) => `paid AS (
  SELECT call_id, sum(total_cost) AS cost, sum(total_tokens) AS tokens FROM costs
  WHERE ${within} AND call_id IN (SELECT id FROM ${of}) GROUP BY call_id)`

const COUNTED = `count() AS calls, countIf(status = 'error') AS errors, quantile(0.95)(latency_ms) AS p95,
  sum(cost) AS cost, formatDateTime(max(started_at), '%FT%TZ') AS last_used`

const usesStatement = (days: number) => `WITH used AS (
  SELECT id, prompt_name, status, latency_ms, started_at FROM calls WHERE prompt_name != '' AND ${since(days)}
), ${paid('used', since(days))}
SELECT prompt_name AS name, ${COUNTED}
FROM used LEFT JOIN paid ON paid.call_id = used.id
GROUP BY name ORDER BY calls DESC`

const used = (name: string) => `WITH used AS (
  SELECT id, prompt_version, status, latency_ms, started_at FROM calls WHERE prompt_name = ${name} AND ${SINCE})`

/** The statement of a prompt's versions. @param name an expression in SQL */
export const versionsStatement = (name: string): string => `${used(name)}, ${paid('used')}, liked AS (
  SELECT call_id, countIf(position(payload, '👍') > 0) AS up, countIf(position(payload, '👎') > 0) AS down
  FROM feedback WHERE feedback_type = 'wandb.reaction.1' AND call_id IN (SELECT id FROM used) GROUP BY call_id)
SELECT prompt_version AS version, ${COUNTED},
  quantile(0.5)(latency_ms) AS p50, sum(tokens) AS tokens, sum(up) AS up, sum(down) AS down
FROM used LEFT JOIN paid ON paid.call_id = used.id LEFT JOIN liked ON liked.call_id = used.id
GROUP BY version ORDER BY last_used DESC`

const scoresStatement = (name: string) => `${used(name)}, scored AS (
  SELECT call_id, feedback_type, JSONExtractRaw(payload, 'output') AS raw,
    multiIf(raw = 'true', 1., raw = 'false', 0., toFloat64OrNull(raw)) AS value
  FROM feedback WHERE call_id IN (SELECT id FROM used))
SELECT prompt_version AS version, feedback_type AS score, count(value) AS times, avg(value) AS mean
FROM used INNER JOIN scored ON scored.call_id = used.id
WHERE value IS NOT NULL GROUP BY version, score ORDER BY score, version`

async function rows<Row>(
  project: string,
  query: string,
  params: Record<string, string>,
  signal: AbortSignal,
): Promise<Row[]> {
  return (await runSql({ project, query, params }, signal)).data as unknown as Row[]
}

/** Uses by the name of the prompt, the most used first. */
export const promptUsesQuery = (project: string, days: number) =>
  queryOptions({
    queryKey: ['prompt-uses', project, 'by name', days],
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => rows<PromptUse>(project, usesStatement(days), {}, signal),
  })

/** Uses of each version of a prompt, the last used first, and the means of their scores. */
export const versionUsesQuery = (project: string, name: string) =>
  queryOptions({
    queryKey: ['prompt-uses', project, 'of', name],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const ask = <Row>(statement: (name: string) => string) =>
        rows<Row>(project, statement('{name:String}'), { name }, signal)
      const [versions, scores] = await Promise.all([
        ask<VersionUse>(versionsStatement),
        ask<VersionScore>(scoresStatement),
      ])
      return { versions, scores }
    },
  })

/** The source of training data from the command line. Pure, except that it reads a file. */

import { opNames } from '../../domain/refs/op-name.js'
import { CommandError } from '../command.js'
import { readNamed } from '../named-file.js'
import { expressionOf, momentOf, wholeNumber } from '../option-values.js'

/** As commander gives them. */
export interface SourceOptions {
  dataset?: string
  calls?: string
  op?: string[]
  since?: string
  query?: string
  limit?: string
  thumbsUp?: boolean
  reaction?: string
  system?: string
  prompt?: string
  completion?: string
  rejected?: string
  method?: string
  sessions?: boolean
}

/** The part of a job's body about its data. */
export type DataFields =
  | { training_data_url: string }
  | { training_data: Record<string, unknown> }
  | { trajectory_groups: unknown[] }

/** The limit of a JSON body; base64 adds a third. */
const MOST_FILE_BYTES = 40 * 2 ** 20

/** @param file of JSON lines, if named. @throws CommandError unless there is exactly one source */
export function dataOf(file: string | undefined, options: SourceOptions): DataFields {
  const { dataset, calls } = options
  const given = [file, dataset, calls].filter((one) => one !== undefined)
  if (given.length !== 1)
    throw new CommandError('give one source of data: a file, --dataset <ref>, or --calls <entity/project>', 2)
  if (file !== undefined) return ofFile(file, options)
  if (options.sessions && calls === undefined) throw new CommandError('--sessions works with --calls', 2)
  const source = dataset !== undefined ? { dataset } : { calls: callsOf(calls!, options) }
  const sessions = options.sessions ? { sessions: true } : {}
  return { training_data: { ...source, ...templateOf(options), ...rewardOf(options), ...sessions } }
}

function ofFile(file: string, options: SourceOptions): DataFields {
  const more = Object.keys(options).find((name) => name in ONLY_ROWS)
  if (more !== undefined)
    throw new CommandError(`${ONLY_ROWS[more]} works with --dataset and --calls, not with a file`, 2)
  const bytes = readNamed(file)
  if (bytes.length > MOST_FILE_BYTES)
    throw new CommandError(`${file} has more than 40 MiB; publish it as a dataset and use --dataset`, 2)
  if (options.method === 'rl') return { trajectory_groups: linesIn(file, bytes) }
  return { training_data_url: `data:application/jsonl;base64,${bytes.toString('base64')}` }
}

function linesIn(file: string, bytes: Buffer): unknown[] {
  return bytes
    .toString()
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return []
      try {
        return [JSON.parse(line) as unknown]
      } catch {
        throw new CommandError(`line ${i + 1} of ${file} is not JSON`, 2)
      }
    })
}

const ONLY_ROWS: Record<string, string> = {
  op: '--op',
  since: '--since',
  query: '--query',
  limit: '--limit',
  thumbsUp: '--thumbs-up',
  reaction: '--reaction',
  system: '--system',
  prompt: '--prompt',
  completion: '--completion',
  rejected: '--rejected',
  sessions: '--sessions',
}

function callsOf(project: string, { op, since, query, limit }: SourceOptions): Record<string, unknown> {
  const conditions: unknown[] = []
  if (query !== undefined) conditions.push(expressionOf('--query', query))
  const from = momentOf('--since', since)
  if (from !== undefined) conditions.push({ $gte: [{ $getField: 'started_at' }, { $literal: from }] })
  return {
    project_id: project,
    ...(op && { filter: { op_names: op.flatMap((name) => opNames(project, name)) } }),
    ...(conditions.length > 0 && { query: { $expr: { $and: conditions } } }),
    ...(limit !== undefined && { limit: wholeNumber('--limit', limit) }),
  }
}

function templateOf({ system, prompt, completion, rejected }: SourceOptions): object {
  if ([prompt, completion, system, rejected].every((one) => one === undefined)) return {}
  if (prompt === undefined || completion === undefined)
    throw new CommandError(
      'a template needs --prompt and --completion, such as "{inputs.text}" and "{output}"',
      2,
    )
  return { template: { system: system ?? null, prompt, completion, rejected: rejected ?? null } }
}

function rewardOf({ thumbsUp, reaction, method }: SourceOptions): object {
  // What people did not like is needed, too.
  if (method === 'dpo' || method === 'kto' || method === 'rl')
    return thumbsUp ? { reward: { from: 'reaction' } } : {}
  const emoji = reaction ?? (thumbsUp ? '👍' : undefined)
  return emoji === undefined ? {} : { reward: { from: 'reaction', values: { [emoji]: 1 } }, min_reward: 1 }
}

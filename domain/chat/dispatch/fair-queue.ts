/**
 * Orders waiting requests: entities that wait for a model take turns, and priorities order only requests of the same
 * entity. Jobs are in BullMQ's prioritized set; a script sets their scores there, so that fairness and limits hold
 * across processes.
 *
 * A score is a round and, within it, the order of arrival. The first waiting job of an entity is in the current round, or
 * in the next if the entity had its job of the current one; each further job is in a later round of its own.
 */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { chatQueueName, QUEUE_PREFIX } from '../../../platform/redis/names.js'

/** The submitter of a job, and its priority. */
export interface Submitter {
  entity: string
  /** the caller's key */
  key: string
  /** lower is first */
  priority: number
  /** the priority applies across entities: before all rounds if negative, after them if positive */
  ranked: boolean
}

/** Limits of waiting jobs per model. */
export interface WaitingLimits {
  /** in all; beyond it, only entities with less than an equal share may add jobs */
  most: number
  perEntity: number
  perKey: number
}

/** The limit that is reached, and how many jobs count against it. */
export interface Refusal {
  limit: 'key' | 'entity' | 'model'
  waiting: number
}

const LIMITS = ['key', 'entity', 'model'] as const
/** The sets of waiting jobs expire this long after the last deadline. */
const LONGER_MS = 60_000

/**
 * KEYS: the queue's prioritized set and its list, the set of the entity's jobs, the set of the key's jobs, the names of
 * all entities' sets, a counter, the round of each entity's latest job. ARGV: the job, its priority, 1 if that is ranked, 1 if it has waited before, the three
 * limits, ms to expiry. The set of an entity or key holds its jobs in order; jobs that left the queue are at its start
 * and are removed on access. Returns nothing, or the number of the limit reached and the count of waiting jobs.
 */
const SCHEDULE = `
local queue, entityJobs, keyJobs, entities, rounds = KEYS[1], KEYS[3], KEYS[4], KEYS[5], KEYS[7]
local id, priority, ranked, again = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1', ARGV[4] == '1'
local most, perEntity, perKey = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local ROUND, OWN, ROUNDS_END = 65536, 1048576, 4503599627370496

local function waiting(jobs)
  while true do
    local first = redis.call('zrange', jobs, 0, 0)[1]
    if not first then redis.call('srem', entities, jobs) return 0 end
    if redis.call('zscore', queue, first) then return redis.call('zcard', jobs) end
    redis.call('zrem', jobs, first)
  end
end
if not redis.call('zscore', queue, id) then return end
local some = redis.call('srandmember', entities)
if some then waiting(some) end
local mine, keys = waiting(entityJobs), waiting(keyJobs)

if not again then
  local function refused(limit, count)
    redis.call('zrem', queue, id)
    return { limit, count }
  end
  if keys >= perKey then return refused(0, keys) end
  if mine >= perEntity then return refused(1, mine) end
  local all = redis.call('zcard', queue) - 1 + redis.call('llen', KEYS[2])
  local count = redis.call('scard', entities) + (mine == 0 and 1 or 0)
  if all >= most and mine >= most / count then return refused(2, all) end
end

local number = redis.call('incr', KEYS[6])
local own = priority * OWN + (again and -1 or number % OWN)
redis.call('zadd', entityJobs, own, id)
redis.call('zadd', keyJobs, own, id)
redis.call('sadd', entities, entityJobs)
for _, key in ipairs({ entityJobs, keyJobs, entities, KEYS[6] }) do redis.call('pexpire', key, ARGV[8]) end
if ranked then
  redis.call('zadd', queue, 'XX', (priority > 0 and ROUNDS_END or 0) + own, id)
  return
end

local head = redis.call('zrangebyscore', queue, 0, '(' .. ROUNDS_END, 'withscores', 'limit', 0, 1)[2]
if not head then redis.call('del', rounds) end
local round = math.floor(tonumber(head or '0') / ROUND)
local rank = redis.call('zrank', entityJobs, id)
local later, scores = { id }, {}
for _, other in ipairs(redis.call('zrange', entityJobs, rank + 1, -1)) do
  local score = redis.call('zscore', queue, other)
  if score then
    later[#later + 1] = other
    scores[#scores + 1] = tonumber(score)
  end
end
local last = scores[#scores]
if not last and rank > 0 then
  last = tonumber(redis.call('zscore', queue, redis.call('zrange', entityJobs, rank - 1, rank - 1)[1]) or '0')
end
if last then
  round = math.max(round, math.floor(last / ROUND) + 1)
elseif not again and tonumber(redis.call('hget', rounds, entityJobs) or '-1') >= round then
  round = round + 1
end
redis.call('hset', rounds, entityJobs, round)
redis.call('pexpire', rounds, ARGV[8])
scores[#scores + 1] = round * ROUND + number % ROUND
for i, job in ipairs(later) do redis.call('zadd', queue, 'XX', scores[i], job) end`

/**
 * KEYS: the queue's prioritized set, the sets of the entity's and of the key's jobs. ARGV: the job, 1 if it is ranked.
 * Removes the job; the entity's later jobs move up, so it loses no round.
 */
const WITHDRAW = `
local queue, entityJobs, id = KEYS[1], KEYS[2], ARGV[1]
local score, rank = redis.call('zscore', queue, id), redis.call('zrank', entityJobs, id)
if score and rank and ARGV[2] ~= '1' then
  for _, other in ipairs(redis.call('zrange', entityJobs, rank + 1, -1)) do
    local its = redis.call('zscore', queue, other)
    if its then
      redis.call('zadd', queue, 'XX', score, other)
      score = its
    end
  end
end
for _, key in ipairs(KEYS) do redis.call('zrem', key, id) end`

/** BullMQ's lowest priority: jobs without a score yet come last. */
export const UNSCHEDULED = 2 ** 21 - 1

export class FairQueue {
  constructor(
    private readonly redis: Redis,
    private readonly limits: WaitingLimits,
  ) {}

  /**
   * Sets the score of a job that was just queued. Removes the job again if a limit is reached.
   * @param again it was queued before: it goes before the entity's other jobs, and no limits apply
   */
  async schedule(
    model: string,
    job: string,
    submitter: Submitter,
    forMs: number,
    again: boolean,
  ): Promise<Refusal | undefined> {
    const { most, perEntity, perKey } = this.limits
    const keys = keysOf(model)
    const found = (await this.redis.eval(
      SCHEDULE,
      7,
      ...[...keys.queue, ...setsOf(model, submitter), keys.entities, keys.counter, keys.rounds],
      ...[job, submitter.priority, Number(submitter.ranked), Number(again), most, perEntity, perKey],
      Math.ceil(forMs) + LONGER_MS,
    )) as [number, number] | null
    return found ? { limit: LIMITS[found[0]]!, waiting: found[1] } : undefined
  }

  /** Removes a job from the schedule. The caller then removes it from the queue. */
  async withdraw(model: string, job: string, submitter: Submitter): Promise<void> {
    const [queue] = keysOf(model).queue
    await this.redis.eval(WITHDRAW, 3, queue, ...setsOf(model, submitter), job, Number(submitter.ranked))
  }
}

function keysOf(model: string) {
  const queue = `${QUEUE_PREFIX}:${chatQueueName(model)}`
  const own = `${QUEUE_PREFIX}:turns:${chatQueueName(model)}`
  return {
    /** BullMQ's waiting jobs, with and without a priority */
    queue: [`${queue}:prioritized`, `${queue}:wait`],
    own,
    entities: `${own}:lines`,
    counter: `${own}:number`,
    rounds: `${own}:rounds`,
  } as const
}

/** The sets of an entity's and a key's jobs; ranked jobs have separate sets, since they are ordered differently. */
function setsOf(model: string, { entity, key, ranked }: Submitter): [string, string] {
  const set = (kind: string, name: string) =>
    `${keysOf(model).own}:${createHash('sha256')
      .update(JSON.stringify([kind, ranked, name]))
      .digest('hex')
      .slice(0, 32)}`
  return [set('entity', entity), set('key', key)]
}

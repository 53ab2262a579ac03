/**
 * Whose request comes next: the entities that wait for a model are served in turns, and a caller's priorities order only
 * what its own entity has waiting. Jobs lie in BullMQ's prioritized set of the queue; each gets its place there from one
 * script, so that turns and bounds hold over all processes. Knows nothing of what is asked.
 *
 * A place is a round and, within it, who came first. The first of an entity's waiting jobs is in the round that is being
 * served, each further one in a round of its own after that.
 */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { chatQueueName, QUEUE_PREFIX } from '../../../platform/redis/names.js'

/** Who waits, and how. */
export interface Turn {
  /** whose turn it takes */
  entity: string
  /** of the caller */
  key: string
  /** lower comes first */
  priority: number
  /** its priority holds against every entity: before all turns if it is below 0, after them if it is above */
  ranked: boolean
}

/** Jobs of one model that may wait. */
export interface WaitingLimits {
  /** in all; past it only for entities that have less than their equal share of it */
  most: number
  perEntity: number
  perKey: number
}

/** Which bound is reached, and how many wait within it. */
export interface Refusal {
  bound: 'key' | 'entity' | 'model'
  waiting: number
}

const BOUNDS = ['key', 'entity', 'model'] as const
/** What remembers who waits is forgotten so long after the last deadline. */
const LONGER_MS = 60_000

/**
 * KEYS: the queue's prioritized set and its list, the entity's line, the key's line, the lines of all entities, a counter.
 * ARGV: the job, its priority, 1 if that is ranked, 1 if it has waited before, the three bounds, ms to remember.
 * A line holds jobs in their own order; those that left the queue are its first ones, and are swept when it is looked at.
 * Answers nothing, or the number of the bound that is reached and how many wait.
 */
const PLACE = `
local queue, line, keyLine, lines = KEYS[1], KEYS[3], KEYS[4], KEYS[5]
local id, priority, ranked, again = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1', ARGV[4] == '1'
local most, perEntity, perKey = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local ROUND, OWN, TURNS = 65536, 1048576, 4503599627370496

local function swept(one)
  while true do
    local first = redis.call('zrange', one, 0, 0)[1]
    if not first then redis.call('srem', lines, one) return 0 end
    if redis.call('zscore', queue, first) then return redis.call('zcard', one) end
    redis.call('zrem', one, first)
  end
end
if not redis.call('zscore', queue, id) then return end
local some = redis.call('srandmember', lines)
if some then swept(some) end
local mine, keys = swept(line), swept(keyLine)

if not again then
  local function refused(bound, count)
    redis.call('zrem', queue, id)
    return { bound, count }
  end
  if keys >= perKey then return refused(0, keys) end
  if mine >= perEntity then return refused(1, mine) end
  local all = redis.call('zcard', queue) - 1 + redis.call('llen', KEYS[2])
  local entities = redis.call('scard', lines) + (mine == 0 and 1 or 0)
  if all >= most and mine >= most / entities then return refused(2, all) end
end

local number = redis.call('incr', KEYS[6])
local own = priority * OWN + (again and -1 or number % OWN)
redis.call('zadd', line, own, id)
redis.call('zadd', keyLine, own, id)
redis.call('sadd', lines, line)
for _, key in ipairs({ line, keyLine, lines, KEYS[6] }) do redis.call('pexpire', key, ARGV[8]) end
if ranked then
  redis.call('zadd', queue, 'XX', (priority > 0 and TURNS or 0) + own, id)
  return
end

local head = redis.call('zrangebyscore', queue, 0, '(' .. TURNS, 'withscores', 'limit', 0, 1)[2]
local round = math.floor(tonumber(head or '0') / ROUND)
local rank = redis.call('zrank', line, id)
local later, places = { id }, {}
for _, other in ipairs(redis.call('zrange', line, rank + 1, -1)) do
  local place = redis.call('zscore', queue, other)
  if place then
    later[#later + 1] = other
    places[#places + 1] = tonumber(place)
  end
end
local last = places[#places]
if not last and rank > 0 then
  last = tonumber(redis.call('zscore', queue, redis.call('zrange', line, rank - 1, rank - 1)[1]) or '0')
end
if last then round = math.max(round, math.floor(last / ROUND) + 1) end
places[#places + 1] = round * ROUND + number % ROUND
for i, job in ipairs(later) do redis.call('zadd', queue, 'XX', places[i], job) end`

/**
 * KEYS: the queue's prioritized set, the entity's line, the key's line. ARGV: the job, 1 if it is ranked. Takes the job out
 * of its places; the entity's later jobs move up, so that it loses no turn.
 */
const LEAVE = `
local queue, line, id = KEYS[1], KEYS[2], ARGV[1]
local place, rank = redis.call('zscore', queue, id), redis.call('zrank', line, id)
if place and rank and ARGV[2] ~= '1' then
  for _, other in ipairs(redis.call('zrange', line, rank + 1, -1)) do
    local its = redis.call('zscore', queue, other)
    if its then
      redis.call('zadd', queue, 'XX', place, other)
      place = its
    end
  end
end
for _, key in ipairs(KEYS) do redis.call('zrem', key, id) end`

/** BullMQ's last priority: a job that has no place yet comes after all that have one. */
export const UNPLACED = 2 ** 21 - 1

export class FairQueue {
  constructor(
    private readonly redis: Redis,
    private readonly limits: WaitingLimits,
  ) {}

  /**
   * Gives a job that was just queued its place. One that is over a bound is taken out of the queue again.
   * @param again it was queued before: it comes before the entity's other jobs, and no bound holds for it
   */
  async place(
    model: string,
    job: string,
    turn: Turn,
    forMs: number,
    again: boolean,
  ): Promise<Refusal | undefined> {
    const { most, perEntity, perKey } = this.limits
    const turns = turnsOf(model)
    const found = (await this.redis.eval(
      PLACE,
      6,
      ...[...listsOf(model), ...linesOf(model, turn), `${turns}:lines`, `${turns}:number`],
      ...[job, turn.priority, Number(turn.ranked), Number(again), most, perEntity, perKey],
      Math.ceil(forMs) + LONGER_MS,
    )) as [number, number] | null
    return found ? { bound: BOUNDS[found[0]]!, waiting: found[1] } : undefined
  }

  /** A job waits no more. It is to be removed then. */
  async leave(model: string, job: string, turn: Turn): Promise<void> {
    const [queue] = listsOf(model)
    await this.redis.eval(LEAVE, 3, queue, ...linesOf(model, turn), job, Number(turn.ranked))
  }
}

/** Where BullMQ keeps what waits: with a priority, and without. */
function listsOf(model: string): [string, string] {
  const queue = `${QUEUE_PREFIX}:${chatQueueName(model)}`
  return [`${queue}:prioritized`, `${queue}:wait`]
}

function turnsOf(model: string): string {
  return `${QUEUE_PREFIX}:turns:${chatQueueName(model)}`
}

/** The lines of an entity and of a key; what is ranked has lines of its own, since its order is another. */
function linesOf(model: string, { entity, key, ranked }: Turn): [string, string] {
  const line = (kind: string, name: string) =>
    `${turnsOf(model)}:${createHash('sha256')
      .update(JSON.stringify([kind, ranked, name]))
      .digest('hex')
      .slice(0, 32)}`
  return [line('entity', entity), line('key', key)]
}

/**
 * What one key of an entity can do to callers of another: how much later each door answers them beside hostile requests
 * than on a quiet service.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { createKey } from '../../test/support/keys.js'
import { freePorts } from '../../test/support/ports.js'
import { Server } from '../../test/support/server.js'
import { until } from '../../test/support/until.js'
import { service } from '../chat/callers.js'
import { startNode } from '../chat/node.js'
import { budget, type Figures, percentile, type Row } from '../figures.js'
import { say } from '../subject.js'
import type { Answers, Order } from './attacker.js'
import { type Attack, attacks, call } from './attacks.js'

/** How often a victim asks, in ms: well below what the service can answer. */
const EVERY_MS = 20
const ATTACKERS = 32
const ROUNDS = 3
const MOST = 3
/** Stored calls that are listed. */
const CALLS = 2_000

/** One way in, as a caller uses it. */
interface Door {
  name: string
  ask: () => Promise<unknown>
}

/** Measures each door beside each attack for `seconds`, quiet and attacked in turns. */
export async function measureVictims(seconds: number): Promise<Figures> {
  const node = await startNode()
  const [port = 0] = await freePorts(1)
  const chat = node && {
    ...{ HEDDLE_CHAT: 'true', HEDDLE_TRAINING_PORT: String(port), HEDDLE_NODES: node.address },
  }
  const server = await Server.start({ env: { HEDDLE_LOG_LEVEL: 'warn', ...chat } })
  const agent = new Agent({ connections: 64, pipelining: 1 })
  try {
    const victim = await createKey(server, 'acme', 'write')
    const attacker = await createKey(server, 'hostile', 'write')
    const send = (key: string, path: string, body: string) =>
      request(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
        dispatcher: agent,
      }).then(async (answer) => {
        await answer.body.arrayBuffer()
        return answer.statusCode
      })
    const must = async (path: string, body: object) => {
      const status = await send(victim, path, JSON.stringify(body))
      if (status !== 200) throw new Error(`${path}: ${status}`)
    }
    for (const project of ['acme/one', 'hostile/one'])
      for (let i = 0; i < CALLS; i += 500) {
        const key = project.startsWith('acme') ? victim : attacker
        await send(
          key,
          `/v2/${project}/calls/complete`,
          JSON.stringify({ batch: Array.from({ length: 500 }, () => call(project)) }),
        )
      }
    const doors: Door[] = [
      {
        name: '/version',
        ask: () => request(`${server.url}/version`, { dispatcher: agent }).then(({ body }) => body.text()),
      },
      { name: 'list', ask: () => must('/calls/stream_query', { project_id: 'acme/one', limit: 100 }) },
      {
        name: 'write',
        ask: () => must('/v2/acme/one/calls/complete', { batch: [call('acme/one')] }),
      },
    ]
    if (node) {
      const asked = service(`http://127.0.0.1:${port}`, server.key)
      await until('the model to answer', async () => (await asked.ask()).whole > 0)
      doors.push({ name: 'chat', ask: asked.ask })
    }
    const rows: Row[] = []
    for (const attack of attacks('hostile/one'))
      for (const door of doors) {
        const row = await measure(door, attack, seconds / ROUNDS, { url: server.url, key: attacker })
        say(`${row.attack}, ${row.door}: ${row.ratio}`)
        rows.push(row)
      }
    return [
      '## One key against others',
      `A caller of one entity beside ${ATTACKERS} connections of a key of another.`,
      rows,
    ]
  } finally {
    await agent.close()
    await server.dispose()
    await node?.stop()
  }
}

async function measure(
  door: Door,
  attack: Attack,
  seconds: number,
  target: { url: string; key: string },
): Promise<Row> {
  const [quiet, attacked]: [number[], number[]] = [[], []]
  const statuses: Record<string, number> = {}
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(...(await times(door, seconds)))
    const stop = startAttack({ ...attack, ...target, connections: ATTACKERS })
    await sleep(500)
    attacked.push(...(await times(door, seconds)))
    for (const [status, count] of Object.entries(await stop()))
      statuses[status] = (statuses[status] ?? 0) + count
  }
  const [before, beside] = [percentile(quiet, 0.5), percentile(attacked, 0.5)]
  return {
    ...{ attack: attack.name, door: door.name, 'quiet ms p50': before, 'attacked ms p50': beside },
    ...{ 'quiet ms p95': percentile(quiet, 0.95), 'attacked ms p95': percentile(attacked, 0.95) },
    ...{ ratio: beside / before, target: budget('≤', MOST, beside / before) },
    'attacker’s answers': Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
  }
}

/** Starts a process that attacks. @returns what ends it, and tells how often it had which status */
function startAttack(order: Order): () => Promise<Answers> {
  const child = fork(join(import.meta.dirname, 'attacker.js'), { stdio: 'inherit' })
  child.send(order)
  return async () => {
    child.send('stop')
    const [answers] = (await once(child, 'message')) as [Answers]
    return answers
  }
}

/** How long the door took, each time that it was asked. */
async function times({ ask }: Door, seconds: number): Promise<number[]> {
  const all: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(EVERY_MS)) {
    const began = performance.now()
    await ask()
    all.push(performance.now() - began)
  }
  return all
}

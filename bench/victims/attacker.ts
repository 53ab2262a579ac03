/** The process of an attack: requests over many connections, each as soon as the last is answered. */
import { setPriority } from 'node:os'
import { Agent, request } from 'undici'
import { type Attack, COUNTER } from './attacks.js'

export interface Order extends Attack {
  url: string
  key: string
  connections: number
}

/** How often which status was answered; 0: no answer. */
export type Answers = Record<string, number>

// An attacker has a machine of its own: on this one, what it takes must not be the victim's.
setPriority(10)
const answers: Answers = {}
let on = true
process.on('message', (message: Order | 'stop') => {
  if (message === 'stop') on = false
  else void attack(message)
})

async function attack({ url, key, path, body, user, connections }: Order): Promise<void> {
  const agent = new Agent({ connections, pipelining: 1 })
  const authorization = user ? `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` : `Bearer ${key}`
  const headers = { authorization, 'content-type': 'application/json' }
  let sent = 0
  const send = async () => {
    const own = body.replaceAll(COUNTER, `${process.pid}-${sent++}`)
    const answer = await request(`${url}${path}`, { method: 'POST', headers, body: own, dispatcher: agent })
    await answer.body.dump()
    return answer.statusCode
  }
  const loop = async () => {
    while (on) {
      const status = await send().catch(() => 0)
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  await agent.close()
  process.send!(answers, () => process.disconnect())
}

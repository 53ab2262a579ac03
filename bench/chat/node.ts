/** The model node that chat is measured with: the demo model, as a process of its own, on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { demoModel, hasModelServer, modelServer, modelServerPython } from '../../test/support/demo-model.js'

export interface BenchNode {
  address: string
  pid: number
  stop(): Promise<void>
}

/** Starts it; undefined where the model server's packages are not set up. */
export async function startNode(): Promise<BenchNode | undefined> {
  if (!hasModelServer()) return undefined
  const args = ['-m', 'heddle_model_server', 'serve', '--listen', '127.0.0.1:0', '--model', demoModel()]
  const child = spawn(modelServerPython, args, {
    cwd: modelServer,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return {
    address: await addressOf(child),
    pid: child.pid!,
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of child.stdout!) {
    said += String(chunk)
    const [, address] = /listening on (\S+)/.exec(said) ?? []
    if (address === undefined) continue
    child.stdout!.resume()
    return address
  }
  throw new Error(`the node did not come up: ${said}`)
}

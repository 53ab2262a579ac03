/** The model node that chat is measured with: the demo model, as a process of its own, on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { demoModel } from '../../test/support/demo-model.js'
import { root } from '../../test/support/root.js'

export interface BenchNode {
  address: string
  stop(): Promise<void>
}

/** Starts it; undefined where the model server's packages are not set up. */
export async function startNode(): Promise<BenchNode | undefined> {
  const model = demoModel()
  if (model === undefined) return undefined
  const folder = join(root, 'model-server')
  const args = ['-m', 'heddle_model_server', 'serve', '--listen', '127.0.0.1:0', '--model', model]
  const child = spawn(join(folder, '.venv/bin/python'), args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return {
    address: await addressOf(child),
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

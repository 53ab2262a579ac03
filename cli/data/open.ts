/** `heddle open`: shows a page in the browser, and prints its address. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CommandError } from '../command.js'
import { projectNamed, type Target } from '../http-client.js'
import { callPage, comparisonPage, pageOf } from '../page.js'

export interface OpenOptions {
  run?: string[]
  print?: boolean
}

/** The address of a project's page, of a call's, or of runs side by side; without a project, of the first page. */
export function addressOf(
  to: Target,
  project: string | undefined,
  call: string | undefined,
  { run = [] }: OpenOptions,
): string {
  if (call !== undefined && run.length > 0) throw new CommandError('give a call or --run, not both', 2)
  if (project === undefined) {
    if (run.length > 0) throw new CommandError('--run needs a project', 2)
    return `${to.url}/`
  }
  projectNamed(project)
  if (run.length > 0) return comparisonPage(to, project, run)
  return call === undefined ? pageOf(to, project) : callPage(to, project, call)
}

/** Opens an address, if this machine has a browser for it. @returns whether it has */
export async function openInBrowser(address: string): Promise<boolean> {
  // A session without a screen has none.
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return false
  const [command, ...args] = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  }[process.platform as string] ?? ['xdg-open']
  const child = spawn(command!, [...args, address], { stdio: 'ignore', detached: true })
  try {
    await once(child, 'spawn')
    child.unref()
    return true
  } catch {
    return false
  }
}

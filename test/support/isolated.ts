/** What every client program runs with. */
import { join } from 'node:path'
import { root } from './root.js'

/** The client programs, and the pinned packages of those in JavaScript. */
export const clients = join(root, 'test/clients')

/** The interpreter of an environment of Python. */
export const pythonOf = (place: string): string => join(root, place, 'bin/python')

/** What keeps a client to its home, and from calling anywhere but this machine. */
export function isolated(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    WANDB_CONFIG_DIR: home,
    WANDB_ERROR_REPORTING: 'false',
    PYTHONDONTWRITEBYTECODE: '1',
    // The Python SDK asks a package index for newer versions of itself and has no switch for it: a proxy that
    // isn't there answers that question at once, and nobody else's.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
  }
}

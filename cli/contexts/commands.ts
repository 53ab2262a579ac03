/** `heddle context`: the servers that client commands can be pointed at by name. Each loads its code when it is called. */
import type { Command } from 'commander'
import { list, showing } from '../shown.js'

const modules = () => import('./contexts.js')

export function contextCommands(heddle: Command): void {
  const context = heddle
    .command('context')
    .description('remember servers by name, and choose the one that commands talk to')
  showing(context.command('list').description('list the servers; * marks the one in use'), async () => {
    const { Contexts, LOCAL } = await modules()
    const contexts = new Contexts()
    const { current } = contexts
    const rows = [
      { name: LOCAL, url: 'this machine', training_url: null as string | null, current: current === LOCAL },
      ...Array.from(contexts.all, ([name, { url, trainingUrl }]) => ({
        ...{ name, url, training_url: trainingUrl ?? null, current: current === name },
      })),
    ]
    return list(rows, ['', 'NAME', 'ADDRESS', 'TRAINING'], (row) => [
      row.current ? '*' : '',
      row.name,
      row.url,
      row.training_url ?? '-',
    ])
  })
  context
    .command('set <name>')
    .description('add a server, or change its addresses or key')
    .option('--url <address>', 'address of the tracing interface')
    .option('--training-url <address>', 'address of the training interface')
    .option('--key <key>', 'API key; - reads it from standard input')
    .action(
      async (name: string, { key, ...options }: { url?: string; trainingUrl?: string; key?: string }) => {
        const { Contexts } = await modules()
        const { text } = await import('node:stream/consumers')
        const given = key === '-' ? (await text(process.stdin)).trim() : key
        const addresses = await checked(options)
        new Contexts().set(name, { ...addresses, ...(given !== undefined && { key: given }) })
      },
    )
  context
    .command('use <name>')
    .description('choose the server that commands talk to; local: `heddle up` on this machine')
    .action(async (name: string) => new (await modules()).Contexts().use(name))
  context
    .command('remove <name>')
    .description('forget a server and its key')
    .action(async (name: string) => new (await modules()).Contexts().remove(name))
}

/** Addresses without a slash at their end. @throws CommandError for what is no address */
async function checked(addresses: Record<string, string>) {
  const { serverAt } = await import('../http-client.js')
  return Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, serverAt(address)]))
}

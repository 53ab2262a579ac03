/** `heddle mcp` and `heddle setup`: tools for agents, and what makes agents find them. Each loads its code when called. */
import { Argument, type Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { type ClientOptions, clientCommand, clientTarget } from '../client-command.js'
import { configured, say, subcommand } from '../subcommand.js'
import type { Agent } from './agents.js'

const AGENTS: readonly Agent[] = ['claude', 'codex', 'cursor', 'vscode']

/** `heddle mcp`. */
export function mcpCommand(heddle: Command): void {
  const text = 'give an agent tools on standard input and output, by the Model Context Protocol'
  clientCommand(heddle, 'mcp', text).action(async (options: ClientOptions) => {
    const { serveTools } = await import('./stdio.js')
    await serveTools(await clientTarget(options))
  })
}

/** `heddle setup`. */
export function setupCommand(heddle: Command): void {
  const text = "add Heddle's tools to a coding agent's configuration, and a skill that explains them"
  subcommand(heddle, 'setup', text, processes.client)
    .addArgument(new Argument('<agent>').choices(AGENTS))
    .option('--url <address>', 'address of Heddle; default: on this machine')
    .option('--context <name>', 'server of `heddle context`; default: the one in use')
    .option('--print', 'show the files instead of writing them')
    .action(async (agent: Agent, { print, ...options }: ClientOptions & { print?: boolean }) => {
      const [{ filesOf }, { write }, { serverAt }, { toldOrContext }, { reachable }] = await Promise.all([
        import('./agents.js'),
        import('./setup.js'),
        import('../http-client.js'),
        import('../contexts/contexts.js'),
        import('../reachable.js'),
      ])
      const config = configured(processes.client)
      const { url } = toldOrContext(options, config.context, 'url')
      const address = url === undefined ? `http://${reachable(config.host)}:${config.port}` : serverAt(url)
      const files = filesOf(agent, `${address}/mcp`)
      if (print) process.stdout.write(files.map(({ path, text: whole }) => `${path}\n\n${whole}`).join('\n'))
      else for (const file of files) say(write(file))
      if (!print && agent !== 'vscode') say('set WANDB_API_KEY to an API key where you start the agent')
    })
}

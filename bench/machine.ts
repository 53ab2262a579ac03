/** Describes the machine that was measured, without its name. */
import { readFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'

export interface Machine {
  cores: number
  model: string
  memoryGB: number
  system: string
  node: string
  versions: Record<string, string>
}

/** Describes this machine and what is installed. */
export function describeMachine(root: string): Machine {
  const processors = cpus()
  const versions: Record<string, string> = {}
  for (const name of ['chdb', '@clickhouse/client', 'uWebSockets.js', 'protobufjs', 'piscina']) {
    const { version } = JSON.parse(readFileSync(`${root}/node_modules/${name}/package.json`, 'utf8')) as {
      version: string
    }
    versions[name] = version
  }
  return {
    cores: processors.length,
    model: processors[0]?.model.trim() ?? 'unknown',
    memoryGB: Math.round(totalmem() / 1e9),
    system: type(),
    node: process.version,
    versions,
  }
}

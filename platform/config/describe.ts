import type { Settings } from './read.js'
import type { Setting } from './setting.js'

/** The lines for `--help`: variable, default and purpose. */
export function helpText(settings: Settings, width = 96): string {
  const left = Math.max(...Object.values(settings).map(({ variable }) => variable.length)) + 4
  const lines = Object.values(settings).flatMap((setting) => {
    const rest = wrap(`${setting.doc} ${ending(setting)}`, width - left)
    return rest.map((line, i) => (i === 0 ? `  ${setting.variable}` : '').padEnd(left) + line)
  })
  return ['Environment:', ...lines].join('\n')
}

/** A Markdown table. @param readBy the processes that read a setting, as shown in the docs */
export function docsTable(
  settings: readonly Setting<unknown>[],
  readBy: (variable: string) => string,
): string {
  const rows = settings.map(({ variable, kind, fallback, doc }) => {
    const preset = fallback === undefined ? '' : `\`${fallback}\``
    return `| \`${variable}\` | ${kind} | ${preset} | ${doc} | ${readBy(variable)} |`
  })
  return ['| Variable | Value | Default | | Read by |', '|---|---|---|---|---|', ...rows].join('\n')
}

function ending({ fallback, required }: Settings[string]): string {
  if (required) return '(required)'
  return fallback === undefined ? '' : `(default ${fallback})`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.trim().split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

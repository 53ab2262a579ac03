// Writes the tables of docs/operate/sign-in.md from the schema of the file; with --check it only says whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { emailSchema, mappingSchema, providerSchema, signInSchema } from '../dist/domain/sign-in/settings.js'

const FILE = 'docs/operate/sign-in.md'
const SECTIONS = { file: signInSchema, provider: providerSchema, role: mappingSchema, email: emailSchema }

const kindOf = ({ type, items }) => (type === 'array' ? `list of ${items.type}s` : (type ?? 'object'))

function tableOf(schema) {
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  const rows = Object.entries(properties).map(([name, one]) => {
    const preset = one.default === undefined ? '' : `\`${JSON.stringify(one.default)}\``
    const needed = required.includes(name) ? 'required' : preset
    return `| \`${name}\` | ${kindOf(one)} | ${needed} | ${one.description.replaceAll('|', '\\|')} |`
  })
  return ['| Field | Value | Default | |', '|---|---|---|---|', ...rows].join('\n')
}

const before = readFileSync(FILE, 'utf8')
const after = Object.entries(SECTIONS).reduce(
  (text, [name, schema]) =>
    text.replace(
      new RegExp(`(<!-- table ${name} -->\n)[\\s\\S]*?(<!-- /table -->)`),
      (_, open, close) => `${open}\n${tableOf(schema)}\n\n${close}`,
    ),
  before,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, after)
else if (after !== before) {
  console.error(`${FILE} is not up to date: run \`make docs\``)
  process.exit(1)
}

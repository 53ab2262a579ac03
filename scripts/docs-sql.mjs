// Writes the tables of docs/guides/sql.md from the views of SQL; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { VIEWS } from '../dist/query/sql/views.js'

const FILE = 'docs/guides/sql.md'
const before = readFileSync(FILE, 'utf8')
const sections = VIEWS.map(({ name, doc, columns }) => {
  const rows = columns.map((one) => `| \`${one.name}\` | ${one.type} | ${one.doc.replaceAll('|', '\\|')} |`)
  return `### \`${name}\`\n\n${doc}\n\n| Column | Type | |\n|---|---|---|\n${rows.join('\n')}\n`
})
const after = before.replace(
  /(<!-- tables -->\n)[\s\S]*(<!-- \/tables -->)/,
  (_, open, close) => `${open}\n${sections.join('\n')}\n${close}`,
)
if (!process.argv.includes('--check')) writeFileSync(FILE, after)
else if (after !== before) {
  console.error(`${FILE} is not up to date: run \`make docs\``)
  process.exit(1)
}

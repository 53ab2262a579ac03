// Writes the types that the pages use, from the OpenAPI documents that are served; `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { declaredRoutes } from '../dist/contract/declared.js'
import { openApiDocument } from '../dist/contract/openapi.js'
import openapiTS, { astToString } from '../web/node_modules/openapi-typescript/dist/index.mjs'

const FILE = 'web/src/api/schema.ts'
const HEAD = '// Made by scripts/web-types.mjs from the routes; `make docs` makes it anew.\n'

const document = openApiDocument([...(await declaredRoutes()).values()], {
  title: '',
  version: '',
  description: '',
})
const made = HEAD + astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }))
if (!process.argv.includes('--check')) writeFileSync(FILE, made)
else if (readFileSync(FILE, 'utf8') !== made) {
  console.error(`${FILE} is not what the routes say; run make docs`)
  process.exit(1)
}

// Writes the types that the pages use, from the OpenAPI document that is served. `make check` does before it compiles them.
import { writeFileSync } from 'node:fs'
import { declaredRoutes } from '../dist/contract/declared.js'
import { openApiDocument } from '../dist/contract/openapi.js'
import openapiTS, { astToString } from '../web/node_modules/openapi-typescript/dist/index.mjs'

const document = openApiDocument([...(await declaredRoutes()).values()], {
  title: '',
  version: '',
  description: '',
})
const types = await openapiTS(document, { alphabetize: true, defaultNonNullable: false })
writeFileSync('web/src/api/schema.ts', astToString(types))

/** Holds objects against the schemas of Kubernetes, and of the kinds that others bring. Nothing else is allowed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parseAllDocuments } from 'yaml'
import { type Manifest, root, tools } from './render.js'

/** The oldest and the newest release that the chart is held against. */
export const RELEASES = ['1.31.0', '1.36.0'] as const

interface Definition {
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: boolean | Schema
  'x-kubernetes-preserve-unknown-fields'?: boolean
}

interface CustomKind {
  spec: {
    group: string
    names: { kind: string }
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[]
  }
}

/** Says what is wrong with an object, one line a fault. */
export type Check = (manifest: Manifest) => string[]

/** A check against one release. */
export function checkFor(release: (typeof RELEASES)[number]): Check {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const text = readFileSync(join(tools, `kubernetes-${release}.json`), 'utf8')
  const schemas = JSON.parse(text) as { $id: string; $defs: Record<string, Definition> }
  ajv.addSchema(schemas)
  const validators = new Map<string, () => ValidateFunction | undefined>()
  for (const [name, definition] of Object.entries(schemas.$defs)) {
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      const key = `${group === '' ? '' : `${group}/`}${version} ${kind}`
      validators.set(key, () => ajv.getSchema(`${schemas.$id}#/$defs/${name}`))
    }
  }
  const object = { $ref: `${schemas.$id}#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta` }
  for (const { spec } of customKinds()) {
    for (const { name, schema } of spec.versions) {
      const whole = {
        ...closed(schema.openAPIV3Schema),
        properties: {
          ...closed(schema.openAPIV3Schema).properties,
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: object,
        },
      }
      const validate = ajv.compile(whole)
      validators.set(`${spec.group}/${name} ${spec.names.kind}`, () => validate)
    }
  }
  return (manifest) => {
    const called = `${manifest.kind} ${manifest.metadata?.name}`
    const validate = validators.get(`${manifest.apiVersion} ${manifest.kind}`)?.()
    if (!validate) return [`${called}: ${manifest.apiVersion} is unknown to ${release}`]
    if (validate(manifest)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [`${called}: ${instancePath}`, message, JSON.stringify(params)].join(' '),
    )
  }
}

function customKinds(): CustomKind[] {
  const text = readFileSync(join(root, 'infra/kubernetes/crds.yaml'), 'utf8')
  return parseAllDocuments(text).map((document) => document.toJS() as CustomKind)
}

/** The same schema, where what it does not name is a fault. */
function closed(schema: Schema): Schema {
  if (schema['x-kubernetes-preserve-unknown-fields']) return schema
  const inner = schema.properties && {
    properties: Object.fromEntries(Object.entries(schema.properties).map(([key, one]) => [key, closed(one)])),
  }
  return {
    ...schema,
    ...inner,
    ...(schema.items && { items: closed(schema.items) }),
    ...(inner && schema.additionalProperties === undefined && { additionalProperties: false }),
  }
}

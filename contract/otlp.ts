/** Declarations of the routes that take OpenTelemetry exports. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component } from './shared.js'

const exported = {
  method: 'POST',
  tag: 'OpenTelemetry',
  access: 'write',
  // The header or the resource attributes name it; a request may name several.
  project: 'handler',
  raw: true,
  encoded: true,
  consumes: ['application/x-protobuf', 'application/json'],
  produces: 'application/x-protobuf',
  producesToo: ['application/json'],
  headers: z.object({
    project_id: z
      .string()
      .optional()
      .meta({
        description: 'entity/project of spans whose resource lacks platform.entity and platform.project',
        examples: ['acme/assistant'],
      }),
  }),
  answer: component(
    'OTelExportRes',
    {
      partialSuccess: z
        .object({ rejectedSpans: z.string().optional(), errorMessage: z.string().optional() })
        .optional(),
    },
    { description: 'ExportTraceServiceResponse; empty: every span was stored' },
  ),
} as const

export const exportTrace = route({
  ...exported,
  id: 'export_trace',
  path: '/otel/v1/traces',
  summary: 'Store OTLP spans, as protobuf or JSON, uncompressed or with gzip or deflate',
})

export const exportAgentTrace = route({
  ...exported,
  id: 'export_agent_trace',
  path: '/agents/otel/v1/traces',
  summary: 'Store spans of agents like /otel/v1/traces; those without a project are accepted and dropped',
})

import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component } from './shared.js'

const project_id = z
  .string()
  .optional()
  .meta({
    description:
      'entity/project of spans whose resource lacks platform.entity and platform.project; Basic may have it as user name',
    examples: ['acme/assistant'],
  })

const exported = {
  method: 'POST',
  tag: 'OpenTelemetry',
  access: 'write',
  // The header or the resource attributes name the project; a request may contain several.
  project: 'handler',
  raw: true,
  encoded: true,
  consumes: ['application/x-protobuf', 'application/json'],
  produces: 'application/x-protobuf',
  producesToo: ['application/json'],
  headers: z.object({ project_id }),
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
  summary: 'Store OTLP spans, as protobuf or JSON, uncompressed or with gzip, deflate or zstd',
})

export const exportTraceAtRoot = route({
  ...exported,
  id: 'export_trace_at_root',
  path: '/v1/traces',
  summary: 'Store spans, as /otel/v1/traces does: what OTEL_EXPORTER_OTLP_ENDPOINT makes of this address',
})

export const exportTraceOfLangfuse = route({
  ...exported,
  id: 'export_trace_of_langfuse',
  path: '/api/public/otel/v1/traces',
  summary: 'Store spans of a Langfuse SDK: its public key is the entity/project, its secret key an API key',
})

export const exportAgentTrace = route({
  ...exported,
  id: 'export_agent_trace',
  path: '/agents/otel/v1/traces',
  summary: 'Store spans of agents like /otel/v1/traces; those without a project are accepted and dropped',
})

export const exportLogs = route({
  ...exported,
  id: 'export_logs',
  path: '/v1/logs',
  aliases: ['/otel/v1/logs', '/agents/otel/v1/logs', '/api/public/otel/v1/logs'],
  summary:
    'Make log records that are events of models and agents part of their spans, in any order; drop others',
  answer: component(
    'OTelLogsExportRes',
    {
      partialSuccess: z
        .object({ rejectedLogRecords: z.string().optional(), errorMessage: z.string().optional() })
        .optional(),
    },
    { description: 'ExportLogsServiceResponse; empty: no record was rejected' },
  ),
})

export const exportMetrics = route({
  ...exported,
  id: 'export_metrics',
  path: '/v1/metrics',
  aliases: ['/otel/v1/metrics', '/agents/otel/v1/metrics', '/api/public/otel/v1/metrics'],
  project: 'none',
  summary: 'Accept metrics and drop them, so that exporters that also send metrics report no errors',
  headers: undefined,
  answer: z.object({}).meta({ description: 'ExportMetricsServiceResponse; always empty' }),
})

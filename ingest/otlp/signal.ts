/** What is exported: spans, or log records. Their requests have the same form, but for the names. */
export type Signal = 'traces' | 'logs'

/** The names in JSON, and how one of them and a whole export is called in messages. */
export const SIGNALS = {
  traces: {
    ...{ resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans', rejected: 'rejectedSpans' },
    ...{ one: 'span', whole: 'trace' },
  },
  logs: {
    ...{
      resources: 'resourceLogs',
      scopes: 'scopeLogs',
      items: 'logRecords',
      rejected: 'rejectedLogRecords',
    },
    ...{ one: 'log record', whole: 'log' },
  },
} as const satisfies Record<Signal, Readonly<Record<string, string>>>

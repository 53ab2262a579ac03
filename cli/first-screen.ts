/** What `heddle up` prints when it is ready: where it is, the key, and how to point each client at it. Text only. */

export interface FirstScreen {
  version: string
  url: string
  metricsUrl: string
  key: string
  /** where the key is kept; undefined: it came from the environment */
  keyFile: string | undefined
  /** where the data is, as a person would say it */
  store: string
  /** the command that logs something to look at */
  demo: string
  colour: boolean
}

/** The screen, with a line break at its end. */
export function firstScreen(facts: FirstScreen): string {
  const { url, key } = facts
  const bold = paint(facts.colour, 1)
  const dim = paint(facts.colour, 2)
  const kept = facts.keyFile === undefined ? 'from HEDDLE_DEV_API_KEY' : `kept in ${facts.keyFile}`
  return [
    '',
    `  ${bold(`Heddle ${facts.version}`)} is ready at ${bold(url)}`,
    '',
    `  ${dim('weave, Python and npm')}`,
    `    export WANDB_BASE_URL=${url}`,
    `    export WF_TRACE_SERVER_URL=${url}`,
    `    export WANDB_API_KEY=${key}`,
    `  ${dim('OpenTelemetry, any language')}`,
    `    export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}/otel/v1/traces`,
    `    export OTEL_EXPORTER_OTLP_TRACES_HEADERS="Authorization=Bearer%20${key},project_id=me/first"`,
    '',
    `  ${dim('try it')}   ${facts.demo}`,
    `  ${dim('routes')}   ${url}/docs`,
    `  ${dim('numbers')}  ${facts.metricsUrl}/metrics`,
    `  ${dim('data')}     ${facts.store}`,
    `  ${dim('key')}      for development, may do everything, ${kept}`,
    `  ${dim('stop')}     Ctrl-C`,
    '',
    '',
  ].join('\n')
}

function paint(colour: boolean, code: number): (text: string) => string {
  return (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
}

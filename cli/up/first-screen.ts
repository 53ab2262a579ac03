/** What `heddle up` prints when it is ready: the address, the key, and the settings of clients. Text only. */

export interface FirstScreen {
  version: string
  url: string
  /** signs in to the pages, once */
  code: string
  metricsUrl: string
  /** the address of OTLP over gRPC; undefined: there is none */
  otlpGrpcUrl: string | undefined
  /** the address of the training interface; undefined: no chat */
  chatUrl: string | undefined
  /** whether its models are still being set up */
  chatLater?: boolean | undefined
  /** what chat lacks, in one line */
  chatMissing: string | undefined
  key: string
  /** the file of the key; undefined: it came from the environment */
  keyFile: string | undefined
  /** whether it is printed to a terminal; otherwise the key's file is named instead */
  terminal: boolean
  /** where the data is, for people */
  store: string
  /** the command that logs example calls */
  demo: string
}

/** The screen, with a line break at its end. */
export function firstScreen(facts: FirstScreen): string {
  const { url, code } = facts
  const key = keyText(facts)
  // In a log, it would sign in any reader of the log.
  const link = facts.terminal ? `${url}/signin#${code}` : url
  const bold = paint(facts.terminal, 1)
  const dim = paint(facts.terminal, 2)
  const kept = facts.keyFile === undefined ? 'from HEDDLE_DEV_API_KEY' : `kept in ${facts.keyFile}`
  return [
    '',
    `  ${bold(`Heddle ${facts.version}`)} is ready at ${bold(url)}`,
    '',
    `  ${dim('weave, Python and npm')}`,
    `    export WANDB_BASE_URL=${url}`,
    `    export WF_TRACE_SERVER_URL=${url}`,
    `    export WANDB_API_KEY="${key}"`,
    `  ${dim('OpenTelemetry, any language')}`,
    `    export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}/otel/v1/traces`,
    `    export OTEL_EXPORTER_OTLP_TRACES_HEADERS="Authorization=Bearer%20${key},project_id=me/first"`,
    ...chatLines(facts, key, dim),
    '',
    `  ${dim('try it')}   ${facts.demo}`,
    `  ${dim('open')}     ${link}`,
    `  ${dim('routes')}   ${url}/docs`,
    ...(facts.chatUrl === undefined ? [] : [`  ${dim('training')} ${url}/training`]),
    ...(facts.otlpGrpcUrl === undefined
      ? []
      : [`  ${dim('gRPC')}     ${facts.otlpGrpcUrl}, for OpenTelemetry`]),
    `  ${dim('metrics')}  ${facts.metricsUrl}/metrics`,
    `  ${dim('data')}     ${facts.store}`,
    `  ${dim('key')}      for development, has all rights, ${kept}`,
    `  ${dim('stop')}     Ctrl-C`,
    '',
    '',
  ].join('\n')
}

/** The key, as a shell expression. */
function keyText({ key, keyFile, terminal }: FirstScreen): string {
  if (terminal) return key
  return keyFile === undefined ? '$HEDDLE_DEV_API_KEY' : `$(cat '${keyFile}')`
}

function chatLines(
  { chatUrl, chatLater, chatMissing }: FirstScreen,
  key: string,
  dim: (text: string) => string,
): string[] {
  if (chatUrl === undefined) return chatMissing === undefined ? [] : ['', `  ${dim(chatMissing)}`]
  return [
    '',
    `  ${dim('only for programs that should call models of this machine instead of their provider')}`,
    `  ${dim(`OpenAI, any language: chat${chatLater ? ', when the model server is set up (see the log)' : ''}`)}`,
    `    export OPENAI_BASE_URL=${chatUrl}/v1`,
    `    export OPENAI_API_KEY="${key}"`,
  ]
}

function paint(colour: boolean, code: number): (text: string) => string {
  return (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
}

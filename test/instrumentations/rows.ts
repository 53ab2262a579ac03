/**
 * The frameworks and instrumentations that the tests run. What becomes of their spans is in `outlines/`, by page or program;
 * the table of docs/frameworks/README.md is made of both.
 */
import { type Place, placeOf } from './places.js'

/** What the table says of each. */
export const COLUMNS = [
  'Tree',
  'Messages',
  'Model',
  'Kind',
  'Tokens',
  'Cost',
  'Session',
  'User',
  'Errors',
] as const
export type Column = (typeof COLUMNS)[number]

export interface Row {
  readonly framework: string
  /** the packages whose versions were tried */
  readonly packages: readonly string[]
  readonly place: Place
  /** what its program imports, by the names of other versions there */
  readonly imports?: Readonly<Record<string, string>>
  /** why its calls lack what a column of the table asks for; all others have it */
  readonly lacks?: Readonly<Partial<Record<Column, string>>>
}

/** A program of `programs/`, and what its library wants to be set, as pages of docs/frameworks have it. */
export interface Library extends Row {
  /** a page, or another name in `programs/`, whose program it has */
  readonly program?: string
  /** most of its spans are its own insides and only have a name: those are not in the outline */
  readonly isTerse?: true
  readonly settings?: Readonly<Record<string, string>>
}

/** The page that is no program's. */
export const COLLECTOR = 'opentelemetry-collector.md'

/** By page of docs/frameworks. */
export const PAGES: Readonly<Record<string, Row>> = {
  'openai.md': {
    framework: 'OpenAI’s SDK, OpenInference',
    packages: ['openai', 'openinference-instrumentation-openai'],
    place: 'quick',
  },
  'opentelemetry-genai.md': {
    framework: 'OpenAI’s SDK, OpenTelemetry',
    packages: ['openai', 'opentelemetry-instrumentation-openai-v2'],
    place: 'quick',
  },
  'openllmetry.md': {
    framework: 'OpenAI’s SDK, OpenLLMetry',
    packages: ['openai', 'opentelemetry-instrumentation-openai'],
    place: 'quick',
  },
  'langchain.md': {
    framework: 'LangChain',
    packages: ['langchain-core', 'openinference-instrumentation-langchain'],
    place: 'quick',
  },
  'pydantic-ai.md': {
    framework: 'Pydantic AI',
    packages: ['pydantic-ai-slim'],
    place: 'quick',
  },
  'openai-agents.md': {
    framework: 'OpenAI Agents',
    packages: ['openai-agents', 'openinference-instrumentation-openai-agents'],
    place: 'quick',
  },
  'vercel-ai-sdk.md': {
    framework: 'Vercel AI SDK',
    packages: ['ai', '@ai-sdk/otel'],
    place: 'js',
  },
  'vercel-ai-sdk-6.md': {
    framework: 'Vercel AI SDK 6',
    packages: ['ai-6'],
    place: 'js',
    imports: { ai: 'ai-6', '@ai-sdk/openai': 'ai-6-openai' },
  },
  'openai-js.md': {
    framework: 'OpenAI’s SDK for JavaScript',
    packages: ['openai', '@arizeai/openinference-instrumentation-openai'],
    place: 'js',
    lacks: { Errors: 'the error is on the call around a refused completion, not on one of its own' },
  },
  'langfuse-js.md': {
    framework: 'Langfuse’s SDK for JavaScript',
    packages: ['@langfuse/openai', '@langfuse/otel'],
    place: 'js',
  },
  'langchain-js.md': {
    framework: 'LangChain for JavaScript',
    packages: ['@langchain/core', '@arizeai/openinference-instrumentation-langchain'],
    place: 'js',
  },
}

/** Of MCP’s programs. */
const ASKS_NONE = 'asks no model itself'
const NO_REQUESTS = { Messages: ASKS_NONE, Model: ASKS_NONE, Tokens: ASKS_NONE, Cost: ASKS_NONE }

const OF_TURNS =
  'sends hundreds of internal spans, without kinds, answers and users, and nothing of a turn that fails'

/** What Claude Code sends its spans and logs for, with what was said. */
const CLAUDE_CODE = {
  CLAUDE_CODE_ENABLE_TELEMETRY: '1',
  CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_LOGS_EXPORTER: 'otlp',
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_LOG_USER_PROMPTS: '1',
  OTEL_LOG_TOOL_DETAILS: '1',
  OTEL_LOG_TOOL_CONTENT: '1',
}

const LANGFUSE = {
  LANGFUSE_BASE_URL: 'http://127.0.0.1:8080',
  LANGFUSE_PUBLIC_KEY: 'me/first',
  LANGFUSE_SECRET_KEY: '$WANDB_API_KEY',
}

/** By program of `programs/`, unless it says otherwise. */
export const LIBRARIES: Readonly<Record<string, Library>> = {
  vercel_ai_sdk_5: {
    framework: 'Vercel AI SDK 5',
    packages: ['ai-5'],
    place: 'js',
    program: 'vercel-ai-sdk-6.md',
    imports: { ai: 'ai-5', '@ai-sdk/openai': 'ai-5-openai' },
  },
  langfuse_js_4: {
    framework: 'Langfuse’s SDK 4 for JavaScript',
    packages: ['langfuse-4-openai', 'langfuse-4-otel'],
    place: 'js',
    program: 'langfuse-js.md',
    imports: {
      '@langfuse/openai': 'langfuse-4-openai',
      '@langfuse/otel': 'langfuse-4-otel',
      '@langfuse/tracing': 'langfuse-4-tracing',
    },
  },
  langfuse_js_3: {
    framework: 'Langfuse’s SDK 3 for JavaScript',
    packages: ['langfuse'],
    place: 'js',
    // Its older name.
    settings: { ...LANGFUSE, LANGFUSE_BASEURL: LANGFUSE.LANGFUSE_BASE_URL },
  },
  anthropic: {
    framework: 'Anthropic’s SDK, OpenInference',
    packages: ['anthropic', 'openinference-instrumentation-anthropic'],
    place: 'quick',
  },
  openai_v2_logs: {
    framework: 'OpenAI’s SDK, OpenTelemetry, messages as logs',
    packages: ['openai', 'opentelemetry-instrumentation-openai-v2'],
    place: 'quick',
    settings: {
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    },
  },
  openai_agents_logfire: {
    framework: 'OpenAI Agents, Logfire',
    packages: ['openai-agents', 'logfire'],
    place: 'quick',
  },
  langsmith_otel: {
    framework: 'LangChain, LangSmith’s OpenTelemetry mode',
    packages: ['langchain-core', 'langsmith'],
    place: 'quick',
    settings: {
      LANGSMITH_OTEL_ENABLED: 'true',
      LANGSMITH_OTEL_ONLY: 'true',
      LANGSMITH_TRACING: 'true',
      LANGSMITH_API_KEY: 'none',
    },
  },
  langfuse_python: {
    framework: 'Langfuse’s SDK for Python',
    packages: ['langfuse'],
    place: 'quick',
    settings: LANGFUSE,
  },
  langfuse_python_4: {
    framework: 'Langfuse’s SDK 4 for Python',
    packages: ['langfuse'],
    place: 'langfuse-4',
    program: 'langfuse_python',
    settings: LANGFUSE,
  },
  langfuse_python_3: {
    framework: 'Langfuse’s SDK 3 for Python',
    packages: ['langfuse'],
    place: 'langfuse-3',
    program: 'langfuse_python',
    settings: LANGFUSE,
  },
  agent_framework: {
    framework: 'Microsoft Agent Framework',
    packages: ['agent-framework-core'],
    place: 'quick',
  },
  mcp: {
    framework: 'MCP’s SDK',
    packages: ['mcp'],
    place: 'quick',
    lacks: { ...NO_REQUESTS, Messages: 'doesn’t say what a tool is given and answers' },
  },
  traceloop: {
    framework: 'Traceloop’s SDK',
    packages: ['traceloop-sdk'],
    place: 'libraries',
    settings: {
      TRACELOOP_BASE_URL: 'http://127.0.0.1:8080',
      TRACELOOP_HEADERS: 'Authorization=Bearer%20$WANDB_API_KEY,project_id=me/first',
      TRACELOOP_TELEMETRY: 'false',
    },
  },
  mlflow_otlp: {
    framework: 'MLflow',
    packages: ['mlflow-tracing'],
    place: 'libraries',
    settings: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:8080/v1/traces',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      // Its package for tracing alone lacks what it wants for metrics and for finding an experiment.
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      MLFLOW_TRACKING_URI: 'http://127.0.0.1:9',
      MLFLOW_EXPERIMENT_ID: '0',
    },
  },
  litellm_otel: {
    framework: 'LiteLLM, its callback otel',
    packages: ['litellm'],
    place: 'libraries',
    settings: {
      OTEL_EXPORTER: 'otlp_http',
      // Otherwise it writes what it has to say into the caller's span.
      USE_OTEL_LITELLM_REQUEST_SPAN: 'true',
    },
  },
  litellm_weave_otel: {
    framework: 'LiteLLM, its callback weave_otel',
    packages: ['litellm'],
    place: 'libraries',
    lacks: { Session: 'the span around the first completion is lost: it makes its provider with that' },
    settings: {
      WANDB_HOST: 'http://127.0.0.1:8080',
      WANDB_API_KEY: '$WANDB_API_KEY',
      WANDB_PROJECT_ID: 'me/first',
      USE_OTEL_LITELLM_REQUEST_SPAN: 'true',
    },
  },
  litellm_openinference: {
    framework: 'LiteLLM, OpenInference',
    packages: ['litellm', 'openinference-instrumentation-litellm'],
    place: 'libraries',
  },
  llama_index: {
    framework: 'LlamaIndex',
    packages: ['llama-index-core', 'openinference-instrumentation-llama-index'],
    place: 'libraries',
    settings: { OPENAI_API_BASE: '$OPENAI_BASE_URL' },
  },
  smolagents: {
    framework: 'smolagents',
    packages: ['smolagents', 'openinference-instrumentation-smolagents'],
    place: 'libraries',
    lacks: { Model: 'a request that fails names none' },
  },
  strands: {
    framework: 'Strands Agents',
    packages: ['strands-agents'],
    place: 'libraries',
  },
  google_adk: {
    framework: 'Google ADK',
    packages: ['google-adk'],
    place: 'google-adk',
    settings: {
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
    },
  },
  crewai: {
    framework: 'CrewAI',
    packages: ['crewai', 'openinference-instrumentation-crewai'],
    place: 'crewai',
    settings: {
      CREWAI_DISABLE_TELEMETRY: 'true',
      CREWAI_TRACING_ENABLED: 'false',
    },
  },
  semantic_kernel: {
    framework: 'Semantic Kernel',
    packages: ['semantic-kernel'],
    place: 'semantic-kernel',
    settings: {
      SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE: 'true',
    },
  },
  livekit: {
    framework: 'LiveKit Agents',
    packages: ['livekit-agents'],
    place: 'livekit',
  },
  mcp_openllmetry: {
    framework: 'MCP, OpenLLMetry',
    packages: ['mcp', 'opentelemetry-instrumentation-mcp'],
    place: 'mcp-1',
    lacks: NO_REQUESTS,
  },
  claude_agent_sdk: {
    framework: 'Claude Agent SDK',
    packages: ['claude-agent-sdk'],
    place: 'claude-agent-sdk',
    settings: CLAUDE_CODE,
  },
  claude_code: {
    framework: 'Claude Code',
    packages: ['@anthropic-ai/claude-code'],
    place: 'command-line',
    settings: CLAUDE_CODE,
  },
  codex: {
    framework: 'Codex',
    packages: ['@openai/codex'],
    place: 'command-line',
    lacks: {
      Messages: OF_TURNS,
      ...{ Model: OF_TURNS, Kind: OF_TURNS, Session: OF_TURNS, User: OF_TURNS, Errors: OF_TURNS },
    },
    isTerse: true,
  },
  gemini_cli: {
    framework: 'Gemini CLI',
    packages: ['@google/gemini-cli'],
    place: 'command-line',
    lacks: { User: 'names none' },
    settings: {
      GEMINI_TELEMETRY_ENABLED: 'true',
      GEMINI_TELEMETRY_TARGET: 'local',
      GEMINI_TELEMETRY_OTLP_ENDPOINT: 'http://127.0.0.1:8080',
      GEMINI_TELEMETRY_OTLP_PROTOCOL: 'http',
      GEMINI_TELEMETRY_TRACES_ENABLED: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
  },
  botocore: {
    framework: 'Bedrock by boto3, OpenTelemetry',
    packages: ['boto3', 'opentelemetry-instrumentation-botocore'],
    place: 'bedrock',
    settings: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
  },
  bedrock_openinference: {
    framework: 'Bedrock by boto3, OpenInference',
    packages: ['boto3', 'openinference-instrumentation-bedrock'],
    place: 'bedrock',
  },
  google_genai: {
    framework: 'Google Gen AI SDK, OpenInference',
    packages: ['google-genai', 'openinference-instrumentation-google-genai'],
    place: 'google-genai',
  },
  agno: {
    framework: 'Agno',
    packages: ['agno', 'openinference-instrumentation-agno'],
    place: 'agno',
  },
  haystack: {
    framework: 'Haystack',
    packages: ['haystack-ai', 'openinference-instrumentation-haystack'],
    place: 'haystack',
    lacks: { Model: 'a request that fails names none' },
  },
  instructor: {
    framework: 'Instructor',
    packages: ['instructor', 'openinference-instrumentation-instructor'],
    place: 'instructor',
    lacks: { Messages: 'its answers are calls of a tool, not texts' },
  },
  dspy: {
    framework: 'DSPy',
    packages: ['dspy', 'openinference-instrumentation-dspy'],
    place: 'dspy',
    // Otherwise it looks for newer prices.
    settings: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
  },
  spring_ai: {
    framework: 'Spring AI',
    packages: ['spring-ai'],
    place: 'spring-ai',
    lacks: {
      Model: 'a request that fails names none',
    },
    settings: {
      SPRING_APPLICATION_JSON: JSON.stringify({
        'management.otlp.tracing.endpoint': 'http://127.0.0.1:8080/v1/traces',
        'management.otlp.tracing.headers.authorization': 'Bearer $WANDB_API_KEY',
        'management.otlp.tracing.headers.project_id': 'me/first',
        'management.tracing.sampling.probability': 1,
        'spring.ai.openai.api-key': 'sk-none',
        // Spring AI adds the path.
        'spring.ai.openai.base-url': '$OPENAI_BASE_URL/..',
        'spring.ai.openai.chat.options.model': 'gpt-4o',
        'spring.ai.tools.observations.include-content': true,
        'spring.ai.retry.max-attempts': 1,
        'spring.main.web-application-type': 'none',
      }),
    },
  },
  ag2: {
    framework: 'AG2',
    packages: ['ag2'],
    place: 'ag2',
    lacks: { Model: 'a request that fails names none' },
  },
  mastra: {
    framework: 'Mastra',
    packages: ['@mastra/core', '@mastra/otel-exporter'],
    place: 'mastra',
    lacks: {
      Model: 'the span around all requests of a run names none',
      Errors: 'the run fails, not its request',
    },
  },
  genkit: {
    framework: 'Genkit',
    packages: ['genkit'],
    place: 'genkit',
    lacks: { Model: 'a request that fails names none' },
  },
  opentelemetry_go: {
    framework: 'OpenTelemetry’s SDK for Go',
    packages: ['go.opentelemetry.io/otel'],
    place: 'go',
  },
}

/** The programs whose packages `make clients` installs. */
export const QUICK: readonly string[] = Object.entries(LIBRARIES)
  .filter(([, { place }]) => !placeOf(place).startsWith('.cache'))
  .map(([name]) => name)

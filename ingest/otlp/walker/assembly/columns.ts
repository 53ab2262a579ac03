// Made from domain/calls/schema.ts by scripts/walker-columns.mjs.
import { ROW_COLUMNS, ROWS } from './memory'

/** By row: columns of numbers. */
export const started_at: usize = ROW_COLUMNS
export const ended_at: usize = started_at + ROWS * 8
export const bytes: usize = ended_at + ROWS * 8
export const first_token: usize = bytes + ROWS * 8
export const input_tokens: usize = first_token + ROWS * 4
export const output_tokens: usize = input_tokens + ROWS * 4
export const reasoning_tokens: usize = output_tokens + ROWS * 4
export const cache_creation_input_tokens: usize = reasoning_tokens + ROWS * 4
export const cache_read_input_tokens: usize = cache_creation_input_tokens + ROWS * 4
export const answer_hash: usize = cache_read_input_tokens + ROWS * 4
export const otel_shape: usize = answer_hash + ROWS * 4
export const otel_origin: usize = otel_shape + ROWS * 2
export const span_kind: usize = otel_origin + ROWS * 2
export const span_status: usize = span_kind + ROWS
export const own_conversation: usize = span_status + ROWS
export const has_user: usize = own_conversation + ROWS
export const is_turn: usize = has_user + ROWS
export const span_indexed: usize = is_turn + ROWS

/** What is known of each text column: four numbers. Those that may be wide come last. */
export const TEXT_STATE: usize = span_indexed + ROWS
export const id: usize = TEXT_STATE + 0 * 16
export const project_id: usize = TEXT_STATE + 1 * 16
export const op_name: usize = TEXT_STATE + 2 * 16
export const trace_id: usize = TEXT_STATE + 3 * 16
export const display_name: usize = TEXT_STATE + 4 * 16
export const parent_id: usize = TEXT_STATE + 5 * 16
export const thread_id: usize = TEXT_STATE + 6 * 16
export const turn_id: usize = TEXT_STATE + 7 * 16
export const user_id: usize = TEXT_STATE + 8 * 16
export const environment: usize = TEXT_STATE + 9 * 16
export const release: usize = TEXT_STATE + 10 * 16
export const version: usize = TEXT_STATE + 11 * 16
export const prompt_name: usize = TEXT_STATE + 12 * 16
export const prompt_version: usize = TEXT_STATE + 13 * 16
export const end_user: usize = TEXT_STATE + 14 * 16
export const operation_name: usize = TEXT_STATE + 15 * 16
export const provider_name: usize = TEXT_STATE + 16 * 16
export const agent_name: usize = TEXT_STATE + 17 * 16
export const agent_version: usize = TEXT_STATE + 18 * 16
export const request_model: usize = TEXT_STATE + 19 * 16
export const response_model: usize = TEXT_STATE + 20 * 16
export const tool_name: usize = TEXT_STATE + 21 * 16
export const exception: usize = TEXT_STATE + 22 * 16
export const attributes: usize = TEXT_STATE + 23 * 16
export const inputs: usize = TEXT_STATE + 24 * 16
export const output: usize = TEXT_STATE + 25 * 16
export const summary: usize = TEXT_STATE + 26 * 16
export const otel_span: usize = TEXT_STATE + 27 * 16
export const COLUMNS_END: usize = TEXT_STATE + 28 * 16
export const TEXT_COLUMNS: i32 = 28
export const FIRST_WIDE: i32 = 22

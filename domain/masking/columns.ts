/**
 * Which columns of the tables hold texts of users, and which hold names, ids and settings, by which things are found. The
 * texts are masked and erased. A test holds this list and the tables together, so a new column has to be decided about.
 */
import type { Table } from '../../platform/clickhouse/cluster.js'

interface Columns {
  /** texts of users, plain or JSON */
  texts: readonly string[]
  /** ids, names, refs, digests, settings and what this service writes itself */
  kept: readonly string[]
  /** rows are texts in another form, and are not stored where anything is masked */
  isDropped?: true
}

const CALL_TEXTS = [
  ...['display_name', 'exception', 'inputs', 'output', 'attributes', 'summary', 'otel_span', 'otel_origin'],
  ...['operation_name', 'provider_name', 'agent_name', 'agent_version', 'request_model', 'response_model'],
  ...['tool_name', 'end_user', 'environment', 'release', 'version', 'prompt_name', 'prompt_version'],
]
const CALL_KEPT = [
  ...['project_id', 'id', 'trace_id', 'parent_id', 'thread_id', 'turn_id', 'op_name', 'user_id', 'run_id'],
  'otel_shape',
]

export const COLUMNS: Readonly<Record<Table, Columns>> = {
  calls: { texts: CALL_TEXTS, kept: CALL_KEPT },
  calls_open: { texts: CALL_TEXTS, kept: CALL_KEPT },
  call_names: { texts: ['name'], kept: ['project_id', 'id'] },
  calls_unsettled: { texts: [], kept: ['project_id', 'id'] },
  calls_moved: { texts: [], kept: ['project_id', 'id'] },
  call_tokens: { texts: [], kept: ['project_id', 'call_id', 'vocabulary'], isDropped: true },
  objects: {
    texts: ['val'],
    kept: ['project_id', 'object_id', 'digest', 'base_class', 'leaf_class', 'created'],
  },
  object_tags: { texts: [], kept: ['project_id', 'object_id', 'digest', 'tag', 'user_id'] },
  object_aliases: { texts: [], kept: ['project_id', 'object_id', 'alias', 'digest', 'user_id'] },
  files: { texts: ['name', 'content'], kept: ['project_id', 'digest'] },
  media: { texts: ['upload_error'], kept: ['project_id', 'id', 'digest', 'content_type'] },
  table_rows: { texts: ['val'], kept: ['project_id', 'digest'] },
  table_index: { texts: [], kept: ['project_id', 'digest', 'row_digest'] },
  tables: { texts: [], kept: ['project_id', 'digest', 'user_id'] },
  table_lists: { texts: [], kept: ['list', 'row_digest'] },
  feedback: {
    texts: ['payload', 'scorer'],
    kept: [
      ...[
        'project_id',
        'call_id',
        'weave_ref',
        'id',
        'feedback_type',
        'canonical_type',
        'creator',
        'user_id',
      ],
      ...['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref', 'queue_id'],
    ],
  },
  annotation_queues: {
    texts: ['name', 'description'],
    kept: ['project_id', 'id', 'scorer_refs', 'created_by'],
  },
  annotation_queue_items: {
    texts: [],
    kept: [
      ...['project_id', 'queue_id', 'id', 'call_id', 'call_op_name', 'call_trace_id', 'display_fields'],
      'added_by',
    ],
  },
  annotation_progress: { texts: [], kept: ['project_id', 'queue_id', 'item_id', 'annotator_id'] },
  dataset_sources: {
    texts: ['display_name', 'link_metadata'],
    kept: [
      ...['project_id', 'dataset_object_id', 'row_digest', 'source_id', 'source_trace_id', 'id', 'added_by'],
    ],
  },
  dataset_items: {
    texts: ['members'],
    kept: ['project_id', 'dataset_object_id', 'item_id', 'row_digest', 'user_id'],
  },
  responses: {
    texts: ['content', 'items'],
    kept: ['owner', 'id', 'thread', 'previous', 'project_id', 'status'],
  },
  batch_files: { texts: ['filename'], kept: ['owner', 'id', 'key_id', 'batch_id'] },
  batches: {
    texts: ['metadata', 'errors'],
    kept: [
      ...['owner', 'id', 'key_id', 'endpoint', 'input_file_id', 'status', 'output_file_id', 'error_file_id'],
      'trace_project',
    ],
  },
  batch_results: { texts: ['text'], kept: ['batch_id'] },
  training_jobs: {
    texts: ['stop_reason', 'error_message'],
    kept: [
      ...['project_id', 'id', 'model_id', 'kind', 'config', 'data_address', 'data_sha256', 'created_by'],
      ...['status', 'start_address', 'start_manifest', 'error_code', 'guidance', 'preparing'],
    ],
  },
  training_events: { texts: ['data'], kept: ['project_id', 'job_id', 'type'] },
  training_logs: { texts: ['message'], kept: ['project_id', 'job_id', 'level'] },
  model_logs: { texts: [], kept: ['project_id', 'model_id', 'id', 'split', 'address', 'created_by'] },
  models: {
    texts: [],
    kept: ['project_id', 'id', 'entity', 'project', 'name', 'base_model', 'run_id', 'created_by'],
  },
  checkpoints: {
    texts: ['metrics'],
    kept: ['project_id', 'model_id', 'id', 'address', 'manifest_sha256', 'job_id'],
  },
  evaluation_jobs: { texts: [], kept: ['project_id', 'id', 'project', 'user_id', 'username', 'plan'] },
  monitor_progress: { texts: ['problem'], kept: ['project_id', 'monitor'] },
  monitor_backfills: { texts: [], kept: ['project_id', 'monitor', 'at_id', 'user_id'] },
  alerts: { texts: [], kept: ['project_id', 'name', 'definition', 'user_id'] },
  alert_events: {
    texts: ['reason', 'text'],
    kept: ['project_id', 'alert', 'id', 'grp', 'grouping', 'channels'],
  },
  alert_deliveries: { texts: ['problem'], kept: ['project_id', 'alert', 'event_id', 'channel'] },
  notification_channels: {
    texts: [],
    kept: ['project_id', 'name', 'type', 'target', 'config', 'user_id'],
  },
  rule_runs: {
    texts: ['problem'],
    kept: [
      ...['project_id', 'rule', 'id', 'match_id', 'ref', 'subject', 'type', 'action', 'chain', 'result'],
      'made',
    ],
  },
  rule_progress: { texts: [], kept: ['project_id', 'rule'] },
  costs: {
    texts: [],
    kept: ['project_id', 'id', 'llm_id', 'provider_id', 'prompt_unit', 'completion_unit', 'created_by'],
  },
  mask_rules: { texts: [], kept: ['scope', 'rules', 'salt', 'user_id'] },
  mask_counts: { texts: [], kept: ['process', 'project_id', 'scope', 'rule'] },
  audit: {
    texts: [],
    kept: [
      ...['chain', 'phase', 'id', 'request_id', 'action', 'category', 'user_id', 'username', 'key_id'],
      ...[
        'remote_address',
        'forwarded_for',
        'entity',
        'project',
        'target',
        'error_code',
        'prev_hash',
        'hash',
      ],
    ],
  },
  audit_cursors: { texts: [], kept: ['chain'] },
  secrets: { texts: [], kept: ['scope', 'name', 'origin', 'sealed'] },
  signing_secrets: { texts: [], kept: ['secret'] },
  projects: { texts: [], kept: ['project_id', 'name'] },
  api_keys: {
    texts: [],
    kept: [
      ...['key_hash', 'key_id', 'user_id', 'username', 'label', 'grants', 'trace_project'],
      ...['limits', 'replaces'],
    ],
  },
  shares: {
    texts: ['note'],
    kept: ['token_hash', 'share_id', 'project', 'target', 'created_by', 'user_id'],
  },
  share_views: { texts: [], kept: ['share_id'] },
  mentions: {
    texts: [],
    kept: [
      ...['user_id', 'mention_id', 'project_id', 'call_id', 'weave_ref', 'feedback_id', 'by_user'],
      'problem',
    ],
  },
  mentions_seen: { texts: [], kept: ['user_id'] },
  users: {
    texts: [],
    kept: ['user_id', 'username', 'email', 'name', 'source', 'external_id', 'scope'],
  },
  scim_users: { texts: [], kept: ['user_id', 'attributes'] },
  users_seen: { texts: [], kept: ['user_id'] },
  identities: { texts: [], kept: ['issuer', 'subject', 'user_id'] },
  memberships: { texts: [], kept: ['subject', 'scope', 'source', 'roles'] },
  teams: { texts: [], kept: ['team_id', 'entity', 'name', 'source', 'external_id'] },
  team_members: { texts: [], kept: ['user_id', 'team_id'] },
  roles: { texts: [], kept: ['entity', 'name', 'title', 'permissions'] },
  invitations: {
    texts: [],
    kept: ['invitation_id', 'token_hash', 'email', 'scope', 'role', 'invited_by', 'user_id'],
  },
  sessions_seen: { texts: [], kept: ['session_hash'] },
  session_tokens: {
    texts: [],
    kept: ['session_hash', 'provider', 'subject', 'provider_session', 'sealed'],
  },
  sign_in_links: { texts: [], kept: ['link_hash', 'email', 'next'] },
  sign_in_claims: { texts: [], kept: ['used_hash', 'claim'] },
  sessions: { texts: [], kept: ['session_hash', 'key_hash', 'user_id', 'browser', 'address'] },
  health: { texts: [], kept: ['process', 'nonce'] },
  retention: { texts: [], kept: ['scope'] },
  project_retention: { texts: [], kept: ['project'] },
  project_token_ids: { texts: [], kept: ['project'] },
  project_signals: { texts: [], kept: ['project', 'off'] },
  retention_runs: { texts: [], kept: ['reason', 'error'] },
  migrations: { texts: [], kept: ['file', 'checksum', 'program'] },
  migration_lock: { texts: [], kept: ['owner'] },
}

/** The columns of `table` that hold texts. @param table with columns behind it, as an insert names them */
export function textsOf(table: string): Columns {
  const name = /^\w+/.exec(table)![0]
  return (COLUMNS as Record<string, Columns | undefined>)[name] ?? { texts: [], kept: [] }
}

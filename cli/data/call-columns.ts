/** The columns of a call that say all about it: named one by one, so that values of any size come along. */
export const CALL_COLUMNS = [
  ...['id', 'project_id', 'op_name', 'display_name', 'trace_id', 'parent_id', 'thread_id', 'turn_id'],
  ...['started_at', 'attributes', 'inputs', 'ended_at', 'exception', 'output', 'summary'],
  ...['wb_user_id', 'wb_run_id', 'wb_run_step', 'wb_run_step_end', 'deleted_at', 'expire_at'],
  ...['environment', 'release', 'version', 'prompt_name', 'prompt_version'],
]

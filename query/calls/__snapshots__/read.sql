SELECT started_at, id, ver, op_name, trace_id, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, expire_at, otel_span, otel_shape, otel_origin, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, expire_at, otel_span, otel_shape, otel_origin, descendant_errors FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id = {p1:String}
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, expire_at, otel_span, otel_shape, otel_origin, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id = {p1:String}) AS seen
  ORDER BY whole DESC, ver DESC LIMIT 1
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "x"

(SELECT started_at, id, ver, '', '', '', '', '', '', started_at, '', '', '', '', '', '', '', toInt64(0), toInt64(0), '', '', '', '', '', toUInt32(0), toDateTime(0), '', '', '', toUInt32(0), 1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' ORDER BY started_at DESC, id DESC LIMIT {p1:UInt64})
  UNION ALL (SELECT started_at, id, ver, op_name, trace_id, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, environment, release, version, prompt_name, prompt_version, first_token, expire_at, otel_span, otel_shape, otel_origin, descendant_errors, 0 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} ORDER BY started_at DESC, id DESC LIMIT {p1:UInt64})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "128"

(SELECT started_at, id, ver, op_name, trace_id, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, environment, release, version, prompt_name, prompt_version, first_token, expire_at, otel_span, otel_shape, otel_origin, descendant_errors, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC')  LIMIT {p2:UInt64})
  UNION ALL (SELECT started_at, id, ver, op_name, trace_id, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, environment, release, version, prompt_name, prompt_version, first_token, expire_at, otel_span, otel_shape, otel_origin, descendant_errors, 0 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') ORDER BY started_at DESC, id DESC LIMIT {p2:UInt64})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "128"

SELECT started_at, id, ver, op_name, trace_id, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, environment, release, version, prompt_name, prompt_version, first_token, expire_at, otel_span, otel_shape, otel_origin, descendant_errors, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["a"]

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}) ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String}) = 0) AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}) ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64})) AS seen
  ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64}
-- p0 = "1"
-- p1 = "2"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "1767225600000000"
-- p4 = "a"
-- p5 = "1000"
-- p6 = "whole"

SELECT started_at, id, ver, op_name, trace_id, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, environment, release, version, prompt_name, prompt_version, first_token, expire_at, otel_span, otel_shape, otel_origin, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, parent_id, thread_id, turn_id, ended_at, exception, attributes, inputs, output, summary, user_id, run_id, run_step, run_step_end, environment, release, version, prompt_name, prompt_version, first_token, expire_at, otel_span, otel_shape, otel_origin, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND started_at <= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) <= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String})) AS seen
  ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767225600000000"
-- p3 = "a"

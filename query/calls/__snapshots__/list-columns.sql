SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND ((parent_id = {p4:String} AND nullIf(ended_at, toDateTime64(0, 6, 'UTC')) > fromUnixTimestamp64Micro({p5:Int64}, 'UTC'))) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p6:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls WHERE project_id = {p1:String} AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND ((parent_id = {p4:String} AND nullIf(ended_at, toDateTime64(0, 6, 'UTC')) > fromUnixTimestamp64Micro({p5:Int64}, 'UTC'))) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p6:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p6:UInt64}
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "a"
-- p4 = "x"
-- p5 = "5000000"
-- p6 = "1000"

SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', 'null', ',"parent_id":', 'null', ',"thread_id":', 'null', ',"turn_id":', 'null', ',"ended_at":', 'null', ',"exception":', 'null', ',"attributes":', '{}', ',"inputs":', '{}', ',"output":', 'null', ',"summary":', '{"weave":{"status":"', multiIf(exception != '', 'error', ended_at = toDateTime64(0, 6, 'UTC'), 'running', descendant_errors > 0, 'descendant_error', 'success'), '"',
    if(ended_at = toDateTime64(0, 6, 'UTC'), '', concat(',"latency_ms":', toString(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))),
    if(display_name != '', concat(',"display_name":', toJSONString(display_name)), concat(',"trace_name":', toJSONString(if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p1:String})), op_name)))),
    
    '}}', ',"platform_user_id":', 'null', ',"wb_user_id":', 'null', ',"platform_run_id":', 'null', ',"wb_run_id":', 'null', ',"platform_run_step":', 'null', ',"wb_run_step":', 'null', ',"platform_run_step_end":', 'null', ',"wb_run_step_end":', 'null', ',"deleted_at":null,"expire_at":', 'null', ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, descendant_errors FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p4:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p4:Int64}, 'UTC'), {p6:String}) AND ((parent_id = {p7:String} AND nullIf(ended_at, toDateTime64(0, 6, 'UTC')) > fromUnixTimestamp64Micro({p8:Int64}, 'UTC')))
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, descendant_errors FROM calls WHERE project_id = {p2:String} AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p4:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p4:Int64}, 'UTC'), {p6:String}) AND ((parent_id = {p7:String} AND nullIf(ended_at, toDateTime64(0, 6, 'UTC')) > fromUnixTimestamp64Micro({p8:Int64}, 'UTC')))) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "\"acme/one\""
-- p1 = "\\1"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "1767225600000000"
-- p4 = "1767225600000001"
-- p5 = "a"
-- p6 = "b"
-- p7 = "x"
-- p8 = "5000000"

SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', 'null', ',"parent_id":', 'null', ',"thread_id":', 'null', ',"turn_id":', 'null', ',"ended_at":', 'null', ',"exception":', 'null', ',"attributes":', '{}', ',"inputs":', '{}', ',"output":', 'null', ',"summary":', '{"weave":{"status":"', multiIf(exception != '', 'error', ended_at = toDateTime64(0, 6, 'UTC'), 'running', descendant_errors > 0, 'descendant_error', 'success'), '"',
    if(ended_at = toDateTime64(0, 6, 'UTC'), '', concat(',"latency_ms":', toString(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))),
    if(display_name != '', concat(',"display_name":', toJSONString(display_name)), concat(',"trace_name":', toJSONString(if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p1:String})), op_name)))),
    
    '}}', ',"platform_user_id":', 'null', ',"wb_user_id":', 'null', ',"platform_run_id":', 'null', ',"wb_run_id":', 'null', ',"platform_run_step":', 'null', ',"wb_run_step":', 'null', ',"platform_run_step_end":', 'null', ',"wb_run_step_end":', 'null', ',"deleted_at":null,"expire_at":', 'null', ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, descendant_errors FROM calls_open PREWHERE project_id = {p2:String} AND kind = 'start' AND hasAny(leaves, {p3:Array(UInt32)}) WHERE (hasAny(leaves, {p3:Array(UInt32)}) AND JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p4:String}, {p5:String}), {p6:String}, ''), {p7:String}, '"')), {p8:String}, {p9:String}) = {p10:String})
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, descendant_errors FROM calls PREWHERE project_id = {p2:String} AND hasAny(leaves, {p3:Array(UInt32)}) WHERE (hasAny(leaves, {p3:Array(UInt32)}) AND JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p4:String}, {p5:String}), {p6:String}, ''), {p7:String}, '"')), {p8:String}, {p9:String}) = {p10:String})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id 
-- p0 = "\"acme/one\""
-- p1 = "\\1"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = [2162948330,0]
-- p4 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p5 = "\\1\u0001\\2\u0001"
-- p6 = "\u0001\u0001"
-- p7 = "\u0001"
-- p8 = "a"
-- p9 = "b"
-- p10 = "x"

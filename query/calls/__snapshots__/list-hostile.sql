SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', 'null', ',"parent_id":', 'null', ',"thread_id":', 'null', ',"turn_id":', 'null', ',"ended_at":', 'null', ',"exception":', 'null', ',"attributes":', '{}', ',"inputs":', '{}', ',"output":', 'null', ',"summary":', 'null', ',"platform_user_id":', 'null', ',"wb_user_id":', 'null', ',"platform_run_id":', 'null', ',"wb_run_id":', 'null', ',"platform_run_step":', 'null', ',"wb_run_step":', 'null', ',"platform_run_step_end":', 'null', ',"wb_run_step_end":', 'null', ',"deleted_at":null,"expire_at":', 'null', ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole FROM calls_open PREWHERE project_id = {p1:String} AND kind = 'start' AND hasAny(leaves, {p2:Array(UInt32)}) WHERE (hasAny(leaves, {p2:Array(UInt32)}) AND JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p3:String}, {p4:String}), {p5:String}, ''), {p6:String}, '"')), {p7:String}, {p8:String}) = {p9:String})
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole FROM calls PREWHERE project_id = {p1:String} AND hasAny(leaves, {p2:Array(UInt32)}) WHERE (hasAny(leaves, {p2:Array(UInt32)}) AND JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p3:String}, {p4:String}), {p5:String}, ''), {p6:String}, '"')), {p7:String}, {p8:String}) = {p9:String})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id 
-- p0 = "\"acme/one\""
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = [824072116,0]
-- p3 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p4 = "\\1\u0001\\2\u0001"
-- p5 = "\u0001\u0001"
-- p6 = "\u0001"
-- p7 = "'; DROP TABLE calls; --."
-- p8 = "{p0:String}"
-- p9 = "\\'\n\n\u0000{p1:String}--"

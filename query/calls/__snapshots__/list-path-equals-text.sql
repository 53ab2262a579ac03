SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 AS width FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND hasAny(leaves, {p3:Array(UInt32)}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 AS width FROM calls WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND hasAny(leaves, {p3:Array(UInt32)}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "a"
-- p3 = [2162948330,0]
-- p4 = "1000"

SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', 'null', ',"parent_id":', 'null', ',"thread_id":', 'null', ',"turn_id":', 'null', ',"ended_at":', 'null', ',"exception":', 'null', ',"attributes":', '{}', ',"inputs":', '{}', ',"output":', 'null', ',"summary":', 'null', ',"platform_user_id":', 'null', ',"wb_user_id":', 'null', ',"platform_run_id":', 'null', ',"wb_run_id":', 'null', ',"platform_run_step":', 'null', ',"wb_run_step":', 'null', ',"platform_run_step_end":', 'null', ',"wb_run_step_end":', 'null', ',"deleted_at":null,"expire_at":', 'null', ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole FROM calls_open PREWHERE project_id = {p1:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String}) AND hasAny(leaves, {p6:Array(UInt32)}) WHERE started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String}) AND (hasAny(leaves, {p6:Array(UInt32)}) AND JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"')), {p4:String}, {p5:String}) = {p11:String})
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole FROM calls PREWHERE project_id = {p1:String} AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String}) AND hasAny(leaves, {p6:Array(UInt32)}) WHERE started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String}) AND (hasAny(leaves, {p6:Array(UInt32)}) AND JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"')), {p4:String}, {p5:String}) = {p11:String})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "\"acme/one\""
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "1767225600000001"
-- p4 = "a"
-- p5 = "b"
-- p6 = [2162948330,0]
-- p7 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p8 = "\\1\u0001\\2\u0001"
-- p9 = "\u0001\u0001"
-- p10 = "\u0001"
-- p11 = "x"

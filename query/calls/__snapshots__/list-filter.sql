(SELECT started_at, id, ver, '', '', '', started_at, '', toUInt32(0), 1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (op_name = {p1:String} OR startsWith(op_name, {p2:String})) AND (multiSearchAny(inputs, {p3:Array(String)}) OR position(inputs, {p4:String}) > 0) AND arrayExists(x -> x IN {p3:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))])))) AND parent_id = {p9:String} AND id IN {p10:Array(String)} AND 0 AND parent_id = '' AND user_id = {p11:String} AND run_id IN {p12:Array(String)}  LIMIT {p13:UInt64})
  UNION ALL (SELECT started_at, id, ver, trace_id, op_name, display_name, ended_at, exception, descendant_errors, 0 FROM calls WHERE project_id = {p0:String} AND (op_name = {p1:String} OR startsWith(op_name, {p2:String})) AND (multiSearchAny(inputs, {p3:Array(String)}) OR position(inputs, {p4:String}) > 0) AND arrayExists(x -> x IN {p3:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))])))) AND parent_id = {p9:String} AND id IN {p10:Array(String)} AND 0 AND parent_id = '' AND user_id = {p11:String} AND run_id IN {p12:Array(String)}  LIMIT {p13:UInt64})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "plain"
-- p2 = "weave:///acme/one/op/o:"
-- p3 = ["weave:///acme/one/object/o:v"]
-- p4 = "\\"
-- p5 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p6 = "\\1\u0001\\2\u0001"
-- p7 = "\u0001\u0001"
-- p8 = "\u0001"
-- p9 = "p"
-- p10 = ["a","b"]
-- p11 = "u"
-- p12 = ["r","acme/one/r"]
-- p13 = "1201"

SELECT started_at, id, ver, trace_id, op_name, display_name, ended_at, exception, descendant_errors, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["a"]

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND (op_name = {p4:String} OR startsWith(op_name, {p5:String})) AND parent_id = {p6:String} AND id IN {p7:Array(String)} AND 0 AND parent_id = '' AND user_id = {p8:String} AND run_id IN {p9:Array(String)} ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p10:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls WHERE project_id = {p1:String} AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND (op_name = {p4:String} OR startsWith(op_name, {p5:String})) AND parent_id = {p6:String} AND id IN {p7:Array(String)} AND 0 AND parent_id = '' AND user_id = {p8:String} AND run_id IN {p9:Array(String)} ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p10:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p10:UInt64}
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "a"
-- p4 = "plain"
-- p5 = "weave:///acme/one/op/o:"
-- p6 = "p"
-- p7 = ["a","b"]
-- p8 = "u"
-- p9 = ["r","acme/one/r"]
-- p10 = "1000"

SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', 'null', ',"parent_id":', 'null', ',"thread_id":', 'null', ',"turn_id":', 'null', ',"ended_at":', 'null', ',"exception":', 'null', ',"attributes":', '{}', ',"inputs":', '{}', ',"output":', 'null', ',"summary":', '{"weave":{"status":"', multiIf(exception != '', 'error', ended_at = toDateTime64(0, 6, 'UTC'), 'running', descendant_errors > 0, 'descendant_error', 'success'), '"',
    if(ended_at = toDateTime64(0, 6, 'UTC'), '', concat(',"latency_ms":', toString(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))),
    if(display_name != '', concat(',"display_name":', toJSONString(display_name)), concat(',"trace_name":', toJSONString(if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p1:String})), op_name)))),
    
    '}}', ',"platform_user_id":', 'null', ',"wb_user_id":', 'null', ',"platform_run_id":', 'null', ',"wb_run_id":', 'null', ',"platform_run_step":', 'null', ',"wb_run_step":', 'null', ',"platform_run_step_end":', 'null', ',"wb_run_step_end":', 'null', ',"deleted_at":null,"expire_at":', 'null', ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, descendant_errors FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p4:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p4:Int64}, 'UTC'), {p6:String}) AND (op_name = {p7:String} OR startsWith(op_name, {p8:String})) AND (multiSearchAny(inputs, {p9:Array(String)}) OR position(inputs, {p10:String}) > 0) AND arrayExists(x -> x IN {p9:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p11:String}, {p12:String}), {p13:String}, ''), {p14:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p11:String}, {p12:String}), {p13:String}, ''), {p14:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p11:String}, {p12:String}), {p13:String}, ''), {p14:String}, '"'))])))) AND parent_id = {p15:String} AND id IN {p16:Array(String)} AND 0 AND parent_id = '' AND user_id = {p17:String} AND run_id IN {p18:Array(String)}
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, descendant_errors FROM calls WHERE project_id = {p2:String} AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p4:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p4:Int64}, 'UTC'), {p6:String}) AND (op_name = {p7:String} OR startsWith(op_name, {p8:String})) AND (multiSearchAny(inputs, {p9:Array(String)}) OR position(inputs, {p10:String}) > 0) AND arrayExists(x -> x IN {p9:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p11:String}, {p12:String}), {p13:String}, ''), {p14:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p11:String}, {p12:String}), {p13:String}, ''), {p14:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p11:String}, {p12:String}), {p13:String}, ''), {p14:String}, '"'))])))) AND parent_id = {p15:String} AND id IN {p16:Array(String)} AND 0 AND parent_id = '' AND user_id = {p17:String} AND run_id IN {p18:Array(String)}) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "\"acme/one\""
-- p1 = "\\1"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "1767225600000000"
-- p4 = "1767225600000001"
-- p5 = "a"
-- p6 = "b"
-- p7 = "plain"
-- p8 = "weave:///acme/one/op/o:"
-- p9 = ["weave:///acme/one/object/o:v"]
-- p10 = "\\"
-- p11 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p12 = "\\1\u0001\\2\u0001"
-- p13 = "\u0001\u0001"
-- p14 = "\u0001"
-- p15 = "p"
-- p16 = ["a","b"]
-- p17 = "u"
-- p18 = ["r","acme/one/r"]

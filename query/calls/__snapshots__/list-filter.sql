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

SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', 'null', ',"parent_id":', 'null', ',"thread_id":', 'null', ',"turn_id":', 'null', ',"ended_at":', 'null', ',"exception":', 'null', ',"attributes":', '{}', ',"inputs":', '{}', ',"output":', 'null', ',"summary":', '{"weave":{"status":"', multiIf(exception != '', 'error', ended_at = toDateTime64(0, 6, 'UTC'), 'running', descendant_errors > 0, 'descendant_error', 'success'), '"',
    if(ended_at = toDateTime64(0, 6, 'UTC'), '', concat(',"latency_ms":', toString(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))),
    if(display_name != '', concat(',"display_name":', toJSONString(display_name)), concat(',"trace_name":', toJSONString(if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p1:String})), op_name)))),
    
    '}}', ',"platform_user_id":', 'null', ',"wb_user_id":', 'null', ',"platform_run_id":', 'null', ',"wb_run_id":', 'null', ',"platform_run_step":', 'null', ',"wb_run_step":', 'null', ',"platform_run_step_end":', 'null', ',"wb_run_step_end":', 'null', ',"deleted_at":null,"expire_at":', 'null', ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, descendant_errors FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (op_name = {p3:String} OR startsWith(op_name, {p4:String})) AND (multiSearchAny(inputs, {p5:Array(String)}) OR position(inputs, {p6:String}) > 0) AND arrayExists(x -> x IN {p5:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))])))) AND parent_id = {p11:String} AND id IN {p12:Array(String)} AND 0 AND parent_id = '' AND user_id = {p13:String} AND run_id IN {p14:Array(String)}
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, descendant_errors FROM calls WHERE project_id = {p2:String} AND (op_name = {p3:String} OR startsWith(op_name, {p4:String})) AND (multiSearchAny(inputs, {p5:Array(String)}) OR position(inputs, {p6:String}) > 0) AND arrayExists(x -> x IN {p5:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))])))) AND parent_id = {p11:String} AND id IN {p12:Array(String)} AND 0 AND parent_id = '' AND user_id = {p13:String} AND run_id IN {p14:Array(String)}) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id 
-- p0 = "\"acme/one\""
-- p1 = "\\1"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "plain"
-- p4 = "weave:///acme/one/op/o:"
-- p5 = ["weave:///acme/one/object/o:v"]
-- p6 = "\\"
-- p7 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p8 = "\\1\u0001\\2\u0001"
-- p9 = "\u0001\u0001"
-- p10 = "\u0001"
-- p11 = "p"
-- p12 = ["a","b"]
-- p13 = "u"
-- p14 = ["r","acme/one/r"]

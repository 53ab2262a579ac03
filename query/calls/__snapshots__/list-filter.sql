(SELECT started_at, id, ver, '', '', 1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (op_name = {p1:String} OR startsWith(op_name, {p2:String})) AND (multiSearchAny(inputs, {p3:Array(String)}) OR position(inputs, {p4:String}) > 0) AND arrayExists(x -> x IN {p3:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))])))) AND parent_id = {p9:String} AND id IN {p10:Array(String)} AND 0 AND parent_id = '' AND user_id = {p11:String} AND run_id IN {p12:Array(String)}  LIMIT {p13:UInt64})
  UNION ALL (SELECT started_at, id, ver, trace_id, op_name, 0 FROM calls WHERE project_id = {p0:String} AND (op_name = {p1:String} OR startsWith(op_name, {p2:String})) AND (multiSearchAny(inputs, {p3:Array(String)}) OR position(inputs, {p4:String}) > 0) AND arrayExists(x -> x IN {p3:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))])))) AND parent_id = {p9:String} AND id IN {p10:Array(String)} AND 0 AND parent_id = '' AND user_id = {p11:String} AND run_id IN {p12:Array(String)}  LIMIT {p13:UInt64})
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

SELECT started_at, id, ver, trace_id, op_name, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["a"]

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 AS width FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND (op_name = {p3:String} OR startsWith(op_name, {p4:String})) AND parent_id = {p5:String} AND id IN {p6:Array(String)} AND 0 AND parent_id = '' AND user_id = {p7:String} AND run_id IN {p8:Array(String)} ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p9:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 AS width FROM calls WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND (op_name = {p3:String} OR startsWith(op_name, {p4:String})) AND parent_id = {p5:String} AND id IN {p6:Array(String)} AND 0 AND parent_id = '' AND user_id = {p7:String} AND run_id IN {p8:Array(String)} ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p9:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p9:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "a"
-- p3 = "plain"
-- p4 = "weave:///acme/one/op/o:"
-- p5 = "p"
-- p6 = ["a","b"]
-- p7 = "u"
-- p8 = ["r","acme/one/r"]
-- p9 = "1000"

SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', 'null', ',"parent_id":', 'null', ',"thread_id":', 'null', ',"turn_id":', 'null', ',"ended_at":', 'null', ',"exception":', 'null', ',"attributes":', '{}', ',"inputs":', '{}', ',"output":', 'null', ',"summary":', 'null', ',"platform_user_id":', 'null', ',"wb_user_id":', 'null', ',"platform_run_id":', 'null', ',"wb_run_id":', 'null', ',"platform_run_step":', 'null', ',"wb_run_step":', 'null', ',"platform_run_step_end":', 'null', ',"wb_run_step_end":', 'null', ',"deleted_at":null,"expire_at":', 'null', ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String}) AND (op_name = {p6:String} OR startsWith(op_name, {p7:String})) AND (multiSearchAny(inputs, {p8:Array(String)}) OR position(inputs, {p9:String}) > 0) AND arrayExists(x -> x IN {p8:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p10:String}, {p11:String}), {p12:String}, ''), {p13:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p10:String}, {p11:String}), {p12:String}, ''), {p13:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p10:String}, {p11:String}), {p12:String}, ''), {p13:String}, '"'))])))) AND parent_id = {p14:String} AND id IN {p15:Array(String)} AND 0 AND parent_id = '' AND user_id = {p16:String} AND run_id IN {p17:Array(String)}
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole FROM calls WHERE project_id = {p1:String} AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String}) AND (op_name = {p6:String} OR startsWith(op_name, {p7:String})) AND (multiSearchAny(inputs, {p8:Array(String)}) OR position(inputs, {p9:String}) > 0) AND arrayExists(x -> x IN {p8:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p10:String}, {p11:String}), {p12:String}, ''), {p13:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p10:String}, {p11:String}), {p12:String}, ''), {p13:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p10:String}, {p11:String}), {p12:String}, ''), {p13:String}, '"'))])))) AND parent_id = {p14:String} AND id IN {p15:Array(String)} AND 0 AND parent_id = '' AND user_id = {p16:String} AND run_id IN {p17:Array(String)}) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "\"acme/one\""
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "1767225600000001"
-- p4 = "a"
-- p5 = "b"
-- p6 = "plain"
-- p7 = "weave:///acme/one/op/o:"
-- p8 = ["weave:///acme/one/object/o:v"]
-- p9 = "\\"
-- p10 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p11 = "\\1\u0001\\2\u0001"
-- p12 = "\u0001\u0001"
-- p13 = "\u0001"
-- p14 = "p"
-- p15 = ["a","b"]
-- p16 = "u"
-- p17 = ["r","acme/one/r"]

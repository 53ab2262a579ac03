(SELECT started_at, id, ver, '', '', '', '', '', '', started_at, '', toUInt32(0), '', '', '', '', '', '', '', '', '', toInt64(0), toInt64(0), toDateTime(0), 1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' ORDER BY started_at DESC, id DESC LIMIT {p1:UInt64})
  UNION ALL (SELECT started_at, id, ver, trace_id, op_name, parent_id, thread_id, turn_id, display_name, ended_at, exception, descendant_errors, inputs, output, attributes, otel_span, otel_shape, otel_origin, summary, user_id, run_id, run_step, run_step_end, expire_at, 0 FROM calls WHERE project_id = {p0:String} ORDER BY started_at DESC, id DESC LIMIT {p1:UInt64})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "128"

(SELECT started_at, id, ver, trace_id, op_name, parent_id, thread_id, turn_id, display_name, ended_at, exception, descendant_errors, inputs, output, attributes, otel_span, otel_shape, otel_origin, summary, user_id, run_id, run_step, run_step_end, expire_at, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC')  LIMIT {p2:UInt64})
  UNION ALL (SELECT started_at, id, ver, trace_id, op_name, parent_id, thread_id, turn_id, display_name, ended_at, exception, descendant_errors, inputs, output, attributes, otel_span, otel_shape, otel_origin, summary, user_id, run_id, run_step, run_step_end, expire_at, 0 FROM calls WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') ORDER BY started_at DESC, id DESC LIMIT {p2:UInt64})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "128"

SELECT started_at, id, ver, trace_id, op_name, parent_id, thread_id, turn_id, display_name, ended_at, exception, descendant_errors, inputs, output, attributes, otel_span, otel_shape, otel_origin, summary, user_id, run_id, run_step, run_step_end, expire_at, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["a"]

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(attributes) + {p0:UInt64} * length(otel_span) + {p0:UInt64} * length(summary) AS width FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}) ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(attributes) + {p0:UInt64} * length(otel_span) + {p0:UInt64} * length(summary) AS width FROM calls WHERE project_id = {p2:String} AND started_at <= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (started_at, id) < (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p4:String}) ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64})) AS seen
  ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64}
-- p0 = "1"
-- p1 = "2"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "1767225600000000"
-- p4 = "a"
-- p5 = "1000"

SELECT concat('{"id":', toJSONString(id), ',"project_id":', {p0:String}, ',"op_name":', toJSONString(op_name), ',"trace_id":', toJSONString(trace_id), ',"started_at":"', replaceOne(formatDateTime(started_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"', ',"display_name":', if(display_name = '', 'null', toJSONString(display_name)), ',"parent_id":', if(parent_id = '', 'null', toJSONString(parent_id)), ',"thread_id":', if(thread_id = '', 'null', toJSONString(thread_id)), ',"turn_id":', if(turn_id = '', 'null', toJSONString(turn_id)), ',"ended_at":', if(ended_at = toDateTime64(0, 6, 'UTC'), 'null', concat('"', replaceOne(formatDateTime(ended_at, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '"')), ',"exception":', if(exception = '', 'null', toJSONString(exception)), ',"attributes":', multiIf(length(attributes) + (length(otel_span) + if(otel_shape = '', 0, length(otel_shape) + length(otel_origin) + length(inputs) + length(output))) > 1048576, concat('{"_omitted":{"bytes":', toString(length(attributes) + (length(otel_span) + if(otel_shape = '', 0, length(otel_shape) + length(otel_origin) + length(inputs) + length(output)))), '}}'), otel_span = '', if(attributes = '', '{}', attributes), concat(if(length(attributes) < 3, '{', concat(left(attributes, -1), ',')), '"otel_span":', if(otel_shape = '', otel_span, concat(replaceOne(replaceOne(replaceOne(replaceOne(arrayStringConcat(arrayMap((around, value) -> concat(around, value), splitByChar('\x01', replaceOne(replaceOne(replaceOne(toString(otel_shape), '\x06', trace_id), '\x07', id), '\x08', parent_id)), splitByChar('\x01', if(otel_shape = '', '', otel_span)))), '\x02', inputs), '\x03', substring(inputs, position(inputs, ':') + 1, length(inputs) - position(inputs, ':') - 1)), '\x04', output), '\x05', substring(output, position(output, ':') + 1, length(output) - position(output, ':') - 1)), otel_origin)), '}')), ',"inputs":', multiIf(inputs = '', '{}', length(inputs) > 1048576, concat('{"_omitted":{"bytes":', toString(length(inputs)), '}}'), inputs), ',"output":', multiIf(output = '', 'null', length(output) > 1048576, concat('{"_omitted":{"bytes":', toString(length(output)), '}}'), output), ',"summary":', '{"weave":{"status":"', multiIf(exception != '', 'error', ended_at = toDateTime64(0, 6, 'UTC'), 'running', descendant_errors > 0, 'descendant_error', 'success'), '"',
    if(ended_at = toDateTime64(0, 6, 'UTC'), '', concat(',"latency_ms":', toString(intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))),
    if(display_name != '', concat(',"display_name":', toJSONString(display_name)), concat(',"trace_name":', toJSONString(if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p1:String})), op_name)))),
    
    multiIf(length(summary) < 3, '}}', length(summary) > 1048576, concat('},', substring(concat('{"_omitted":{"bytes":', toString(length(summary)), '}}'), 2)), concat('},', substring(summary, 2))), ',"platform_user_id":', if(user_id = '', 'null', toJSONString(user_id)), ',"wb_user_id":', if(user_id = '', 'null', toJSONString(user_id)), ',"platform_run_id":', if(run_id = '', 'null', toJSONString(run_id)), ',"wb_run_id":', if(run_id = '', 'null', toJSONString(run_id)), ',"platform_run_step":', if(run_step = -9223372036854775808, 'null', toString(run_step)), ',"wb_run_step":', if(run_step = -9223372036854775808, 'null', toString(run_step)), ',"platform_run_step_end":', if(run_step_end = -9223372036854775808, 'null', toString(run_step_end)), ',"wb_run_step_end":', if(run_step_end = -9223372036854775808, 'null', toString(run_step_end)), ',"deleted_at":null,"expire_at":', if(expire_at = toDateTime(4294967295), 'null', formatDateTime(expire_at, '"%Y-%m-%dT%H:%i:%SZ"', 'UTC')), ',"storage_size_bytes":', 'null', ',"total_storage_size_bytes":', 'null', '}') AS line FROM (
  SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, parent_id, thread_id, turn_id, display_name, ended_at, exception, descendant_errors, inputs, output, attributes, otel_span, otel_shape, otel_origin, summary, user_id, run_id, run_step, run_step_end, expire_at FROM calls WHERE project_id = {p2:String} AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p4:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p3:Int64}, 'UTC'), {p5:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p4:Int64}, 'UTC'), {p6:String})) AS seen
  ORDER BY started_at DESC, id DESC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "\"acme/one\""
-- p1 = "\\1"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "1767225600000001"
-- p4 = "1767225600000000"
-- p5 = "b"
-- p6 = "a"

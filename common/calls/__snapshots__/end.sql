SELECT project_id, id, trace_id, parent_id, thread_id, turn_id, op_name, display_name, exception, inputs, attributes, user_id, run_id, leaves, descendant_errors, if(run_step = -9223372036854775808, '', toString(run_step)) AS run_step_text, if(run_step_end = -9223372036854775808, '', toString(run_step_end)) AS run_step_end_text, if(otel_shape = '', otel_span, concat(replaceOne(replaceOne(replaceOne(replaceOne(arrayStringConcat(arrayMap((around, value) -> concat(around, value), splitByChar('\x01', toString(otel_shape)), splitByChar('\x01', if(otel_shape = '', '', otel_span)))), '\x02', inputs), '\x03', substring(inputs, position(inputs, ':') + 1, length(inputs) - position(inputs, ':') - 1)), '\x04', output), '\x05', substring(output, position(output, ':') + 1, length(output) - position(output, ':') - 1)), otel_origin)) AS span_text,
      toUnixTimestamp64Micro(started_at) AS started
    FROM calls_open WHERE project_id IN {p0:Array(String)}
    AND id IN {p1:Array(String)} AND (project_id, id, ver) IN {p2:Array(Tuple(String, String, UInt64))} AND kind = 'start' LIMIT 1 BY project_id, id

-- {"p0":["p1"],"p1":["c"],"p2":[{"values":["p1","c",5]}]}

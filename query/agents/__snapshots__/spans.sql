SELECT count() AS total FROM calls /* only project_id = {p0:String} */ LEFT ANY JOIN (SELECT trace_id, argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent, argMinIf(thread_id, started_at, own_conversation = 1) AS trace_conversation FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND agent_name IN {p3:Array(String)}) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (agent_name != '' OR own_conversation = 1) GROUP BY trace_id) AS identity USING (trace_id) WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND agent_name IN {p3:Array(String)}) AND started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND (if(agent_name = '', trace_agent.1, agent_name) = {p5:String})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767222000000000"
-- p3 = ["it's"]
-- p4 = "1767225600000000"
-- p5 = "it's"

SELECT toUnixTimestamp64Micro(started_at) AS started, id, trace_id FROM calls /* only project_id = {p0:String} */ LEFT ANY JOIN (SELECT trace_id, argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent, argMinIf(thread_id, started_at, own_conversation = 1) AS trace_conversation FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND agent_name IN {p3:Array(String)}) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (agent_name != '' OR own_conversation = 1) GROUP BY trace_id) AS identity USING (trace_id) WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND agent_name IN {p3:Array(String)}) AND started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND (if(agent_name = '', trace_agent.1, agent_name) = {p5:String})
  ORDER BY if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000, NULL) DESC, id DESC, trace_id DESC LIMIT {p6:UInt64} OFFSET {p7:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767222000000000"
-- p3 = ["it's"]
-- p4 = "1767225600000000"
-- p5 = "it's"
-- p6 = "100"
-- p7 = "0"

SELECT id, trace_id, parent_id, started_at, ended_at, inputs, output, otel_span, otel_shape, otel_origin, user_id, run_id, run_step, run_step_end, span_status, exception, repeats_usage, 0 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id, trace_id) IN (SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2, key.3 FROM (SELECT arrayJoin(arrayZip({p3:Array(Int64)}, {p4:Array(String)}, {p5:Array(String)})) AS key)) ORDER BY started_at, id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767225600000000"
-- p3 = "[1]"
-- p4 = ["a"]
-- p5 = ["t"]

SELECT trace_id, argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent, argMinIf(thread_id, started_at, own_conversation = 1) AS trace_conversation FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (agent_name != '' OR own_conversation = 1) GROUP BY trace_id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767222000000000"

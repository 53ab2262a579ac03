SELECT toFloat64(count()) AS spans, toUnixTimestamp64Micro(min(started_at)) AS since
    FROM (SELECT started_at FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') ORDER BY started_at DESC LIMIT {p2:UInt64})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "500"

SELECT if(own_conversation = 1, thread_id, trace_conversation) AS id FROM calls /* only project_id = {p0:String} */ LEFT ANY JOIN (SELECT trace_id, argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent, argMinIf(thread_id, started_at, own_conversation = 1) AS trace_conversation FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')) AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (agent_name != '' OR own_conversation = 1) GROUP BY trace_id) AS identity USING (trace_id) WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') GROUP BY id ORDER BY max(started_at) DESC, id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767225600000000"
-- p3 = "1767222000000000"

SELECT trace_id, if(own_conversation = 1, thread_id, '') AS conversation, toUnixTimestamp64Micro(min(started_at)) AS first, toUnixTimestamp64Micro(max(started_at)) AS last,
    argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS agent, toUnixTimestamp64Micro(minIf(started_at, agent_name != '')) AS agent_at
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN {p2:Array(String)} AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') GROUP BY trace_id, conversation
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = ["t"]
-- p3 = "1767225600000000"

SELECT toFloat64(uniqExact(id)) + (SELECT count() FROM (SELECT 1 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND own_conversation = 0 AND cityHash64(trace_id) NOT IN (SELECT cityHash64(trace_id) FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND own_conversation = 1) LIMIT 1)) AS total FROM (SELECT thread_id AS id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND own_conversation = 1
    UNION ALL SELECT trace_conversation AS id FROM (SELECT trace_id, argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent, argMinIf(thread_id, started_at, own_conversation = 1) AS trace_conversation FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND own_conversation = 0 AND trace_id IN (SELECT trace_id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND own_conversation = 1)) AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (agent_name != '' OR own_conversation = 1) GROUP BY trace_id)
    WHERE trace_conversation != '')
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767225600000000"
-- p3 = "1767222000000000"
-- p4 = "1767229200000000"

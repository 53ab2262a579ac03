SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY span_count DESC, agent_name) AS place FROM (
      SELECT agent_name, countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sum(input_tokens) AS total_input_tokens, sum(output_tokens) AS total_output_tokens, sum(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)), 0)) AS took,
  countIf(span_status = 2) AS error_count, min(toUnixTimestamp64Micro(started_at)) AS first,
  max(toUnixTimestamp64Micro(started_at)) AS last FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND agent_name != '' GROUP BY agent_name))
  WHERE place = 1 OR (place > {p2:UInt64} AND place <= {p3:UInt64}) ORDER BY place
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "0"
-- p3 = "100"

SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY last DESC, agent_version) AS place FROM (
      SELECT agent_name, agent_version, countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sum(input_tokens) AS total_input_tokens, sum(output_tokens) AS total_output_tokens, sum(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)), 0)) AS took,
  countIf(span_status = 2) AS error_count, min(toUnixTimestamp64Micro(started_at)) AS first,
  max(toUnixTimestamp64Micro(started_at)) AS last FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND agent_name = {p2:String} AND agent_name != '' GROUP BY agent_name, agent_version))
  WHERE place = 1 OR (place > {p3:UInt64} AND place <= {p4:UInt64}) ORDER BY place
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "a"
-- p3 = "0"
-- p4 = "100"

SELECT transform(toString(agent_name), {p0:Array(String)}, {p1:Array(UInt64)}, toUInt64(0)) AS place, response_model, request_model,
  sum(greatest(0, toInt64(input_tokens) - toInt64(cache_read_input_tokens) - toInt64(cache_creation_input_tokens))) AS prompt,
  sum(output_tokens) AS completion, sum(cache_read_input_tokens) AS cache_read,
  sum(cache_creation_input_tokens) AS cache_creation FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String}) = 0) AND span_kind > 0 AND (response_model != '' OR request_model != '') AND agent_name != '' GROUP BY place, response_model, request_model HAVING place > 0
-- p0 = ["a"]
-- p1 = "[1]"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "whole"

SELECT place, response_model, request_model,
  sum(greatest(0, toInt64(input_tokens) - toInt64(cache_read_input_tokens) - toInt64(cache_creation_input_tokens))) AS prompt,
  sum(output_tokens) AS completion, sum(cache_read_input_tokens) AS cache_read,
  sum(cache_creation_input_tokens) AS cache_creation FROM (SELECT cityHash64(trace_id) AS trace, response_model, request_model, input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND (response_model != '' OR request_model != '') AND agent_name = '') AS heirs
    JOIN (
      SELECT cityHash64(trace_id) AS trace, argMin(if(agent_name = {p2:String}, transform(toString(agent_version), {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0)), 0), started_at) AS place
      FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND agent_name != '' GROUP BY trace
    ) AS named USING (trace) GROUP BY place, response_model, request_model HAVING place > 0
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "a"
-- p3 = ["1"]
-- p4 = "[1]"

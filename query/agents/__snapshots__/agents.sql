SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY span_count DESC, agent_name) AS place FROM (
      SELECT agent_name AS agent_name, countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sumIf(input_tokens, repeats_usage = 0) AS total_input_tokens, sumIf(output_tokens, repeats_usage = 0) AS total_output_tokens, sum(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)), 0)) AS took,
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
      SELECT agent_name AS agent_name, agent_version AS agent_version, countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sumIf(input_tokens, repeats_usage = 0) AS total_input_tokens, sumIf(output_tokens, repeats_usage = 0) AS total_output_tokens, sum(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)), 0)) AS took,
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

SELECT transform(toString(agent_name), {p0:Array(String)}, {p1:Array(UInt64)}, toUInt64(0)) AS place, response_model, request_model, roundDown(input_tokens, {p2:Array(UInt64)}) AS size, sum(greatest(0, toInt64(input_tokens) - toInt64(cache_read_input_tokens) - toInt64(cache_creation_input_tokens))) AS prompt,
  sum(output_tokens) AS completion, sum(cache_read_input_tokens) AS cache_read,
  sum(cache_creation_input_tokens) AS cache_creation FROM calls /* only project_id = {p3:String} */ WHERE project_id = {p3:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p3:String} */ WHERE project_id = {p3:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p3:String} AND kind = {p4:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p3:String} AND kind = {p4:String}) = 0) AND span_kind > 0 AND (response_model != '' OR request_model != '') AND repeats_usage = 0 AND agent_name != '' GROUP BY place, response_model, request_model, size HAVING place > 0
-- p0 = ["a"]
-- p1 = "[1]"
-- p2 = "[0]"
-- p3 = "7884e5b5dd50a10f32aee608"
-- p4 = "whole"

SELECT place AS place, response_model, request_model, roundDown(input_tokens, {p0:Array(UInt64)}) AS size, sum(greatest(0, toInt64(input_tokens) - toInt64(cache_read_input_tokens) - toInt64(cache_creation_input_tokens))) AS prompt,
  sum(output_tokens) AS completion, sum(cache_read_input_tokens) AS cache_read,
  sum(cache_creation_input_tokens) AS cache_creation FROM (SELECT cityHash64(trace_id) AS trace, response_model, request_model, input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String}) = 0) AND span_kind > 0 AND (response_model != '' OR request_model != '') AND repeats_usage = 0 AND agent_name = '') AS heirs
    JOIN (
      SELECT cityHash64(trace_id) AS trace, argMin(if(agent_name = {p3:String}, transform(toString(agent_version), {p4:Array(String)}, {p5:Array(UInt64)}, toUInt64(0)), 0), started_at) AS place
      FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String}) = 0) AND span_kind > 0 AND agent_name != '' GROUP BY trace
    ) AS named USING (trace) GROUP BY place, response_model, request_model, size HAVING place > 0
-- p0 = "[0,200001]"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "whole"
-- p3 = "a"
-- p4 = ["1"]
-- p5 = "[1]"

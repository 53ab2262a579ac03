SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width, nullIf(value_fe9d1c93c487, '') AS sort_0, id AS sort_1 FROM calls_open LEFT ANY JOIN (
    SELECT call_id AS call_fe9d1c93c487, argMinIf(runnable_ref, (created_at, id), runnable_ref NOT IN ('', 'null')) AS value_fe9d1c93c487 FROM feedback FINAL WHERE project_id = {p2:String} AND call_id != '' AND deleted = 0 GROUP BY call_id
  ) AS feedback_fe9d1c93c487 ON id = call_fe9d1c93c487 WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) ORDER BY sort_0 ASC, sort_1 DESC LIMIT {p3:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width, nullIf(value_fe9d1c93c487, '') AS sort_0, id AS sort_1 FROM calls /* only project_id = {p2:String} */ LEFT ANY JOIN (
    SELECT call_id AS call_fe9d1c93c487, argMinIf(runnable_ref, (created_at, id), runnable_ref NOT IN ('', 'null')) AS value_fe9d1c93c487 FROM feedback FINAL WHERE project_id = {p2:String} AND call_id != '' AND deleted = 0 GROUP BY call_id
  ) AS feedback_fe9d1c93c487 ON id = call_fe9d1c93c487 WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p4:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p4:String}) = 0) ORDER BY sort_0 ASC, sort_1 DESC LIMIT {p3:UInt64})) AS seen
  ORDER BY sort_0 ASC, sort_1 DESC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p5:UInt64}
-- p0 = "1"
-- p1 = "2"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "27"
-- p4 = "whole"
-- p5 = "10"

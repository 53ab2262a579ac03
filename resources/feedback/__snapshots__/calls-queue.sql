SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) AND (id IN (SELECT call_id FROM annotation_queue_items FINAL
      WHERE project_id = {p2:String} AND queue_id = {p3:String})) ORDER BY started_at ASC, id ASC LIMIT {p4:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p5:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p5:String}) = 0) AND (id IN (SELECT call_id FROM annotation_queue_items FINAL
      WHERE project_id = {p2:String} AND queue_id = {p3:String})) ORDER BY started_at ASC, id ASC LIMIT {p4:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p6:UInt64}
-- p0 = "1"
-- p1 = "2"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "q"
-- p4 = "27"
-- p5 = "whole"
-- p6 = "10"

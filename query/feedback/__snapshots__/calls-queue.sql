SELECT toUnixTimestamp64Micro(started_at) AS started, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id IN (SELECT call_id FROM annotation_queue_items FINAL
      WHERE project_id = {p0:String} AND queue_id = {p1:String})) ORDER BY started_at ASC, id ASC LIMIT {p2:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole FROM calls WHERE project_id = {p0:String} AND (id IN (SELECT call_id FROM annotation_queue_items FINAL
      WHERE project_id = {p0:String} AND queue_id = {p1:String})) ORDER BY started_at ASC, id ASC LIMIT {p2:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p3:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "q"
-- p2 = "27"
-- p3 = "10"

SELECT toUnixTimestamp64Micro(started_at) AS started, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, nullIf(value_fe9d1c93c487, '') AS sort_0, id AS sort_1 FROM calls_open LEFT ANY JOIN (
    SELECT call_id AS call_fe9d1c93c487, argMinIf(runnable_ref, (created_at, id), runnable_ref NOT IN ('', 'null')) AS value_fe9d1c93c487 FROM feedback FINAL WHERE project_id = {p0:String} AND call_id != '' AND deleted = 0 GROUP BY call_id
  ) AS feedback_fe9d1c93c487 ON id = call_fe9d1c93c487 WHERE project_id = {p0:String} AND kind = 'start' ORDER BY sort_0 ASC, sort_1 DESC LIMIT {p1:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, nullIf(value_fe9d1c93c487, '') AS sort_0, id AS sort_1 FROM calls LEFT ANY JOIN (
    SELECT call_id AS call_fe9d1c93c487, argMinIf(runnable_ref, (created_at, id), runnable_ref NOT IN ('', 'null')) AS value_fe9d1c93c487 FROM feedback FINAL WHERE project_id = {p0:String} AND call_id != '' AND deleted = 0 GROUP BY call_id
  ) AS feedback_fe9d1c93c487 ON id = call_fe9d1c93c487 WHERE project_id = {p0:String} ORDER BY sort_0 ASC, sort_1 DESC LIMIT {p1:UInt64})) AS seen
  ORDER BY sort_0 ASC, sort_1 DESC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p2:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "27"
-- p2 = "10"

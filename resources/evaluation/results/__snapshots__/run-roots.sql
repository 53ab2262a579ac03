SELECT * FROM (
    SELECT id, trace_id, display_name, toUnixTimestamp64Micro(started_at) AS started, inputs,
      JSONExtractString(attributes, 'weave', {p0:String}) = 'true' AS own, ver FROM (SELECT * FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN {p2:Array(String)} ORDER BY ver DESC LIMIT 1 BY id)
  UNION ALL SELECT id, trace_id, display_name, toUnixTimestamp64Micro(started_at) AS started, inputs,
      JSONExtractString(attributes, 'weave', {p0:String}) = 'true' AS own, ver FROM calls WHERE project_id = {p1:String} AND id IN {p2:Array(String)}) ORDER BY ver DESC LIMIT 1 BY id

-- {"p0":"evaluation_run","p1":"p1","p2":["run-1","run-2"]}

SELECT * FROM (
  SELECT id, trace_id, parent_id, op_name, toUnixTimestamp64Micro(started_at) AS started,
      toUnixTimestamp64Micro(ended_at) AS ended, exception, inputs, output, attributes, summary, user_id, ver,
      1 AS open FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
  UNION ALL SELECT id, trace_id, parent_id, op_name, toUnixTimestamp64Micro(started_at) AS started,
      toUnixTimestamp64Micro(ended_at) AS ended, exception, inputs, output, attributes, summary, user_id, ver,
      0 AS open FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN {p1:Array(String)}) ORDER BY open, ver DESC LIMIT 1 BY id

-- {"p0":"p1","p1":["a"]}

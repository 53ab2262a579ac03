SELECT * FROM (
  SELECT id, trace_id, parent_id, op_name, toUnixTimestamp64Micro(started_at) AS started,
      toUnixTimestamp64Micro(ended_at) AS ended, exception, inputs, output, attributes, summary, user_id, ver,
      1 AS open FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND id IN {p1:Array(String)}
  UNION ALL SELECT id, trace_id, parent_id, op_name, toUnixTimestamp64Micro(started_at) AS started,
      toUnixTimestamp64Micro(ended_at) AS ended, exception, inputs, output, attributes, summary, user_id, ver,
      0 AS open FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String}) = 0) AND id IN {p1:Array(String)}) ORDER BY ver DESC, open LIMIT 1 BY id

-- {"p0":"p1","p1":["a"],"p2":"whole"}

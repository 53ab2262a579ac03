SELECT id, parent_id AS parent, ver, ended_at = toDateTime64(0, 6, 'UTC') AS open,
  JSONExtractRaw(summary, 'usage') AS usage, '' AS costs FROM (
  SELECT id, parent_id, ver, started_at, ended_at, summary FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND trace_id IN (SELECT trace_id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
  UNION ALL SELECT trace_id FROM calls WHERE project_id = {p0:String} AND id IN {p1:Array(String)})
  UNION ALL SELECT id, parent_id, ver, started_at, ended_at, summary FROM calls WHERE project_id = {p0:String} AND trace_id IN (SELECT trace_id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
  UNION ALL SELECT trace_id FROM calls WHERE project_id = {p0:String} AND id IN {p1:Array(String)}))
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["x"]

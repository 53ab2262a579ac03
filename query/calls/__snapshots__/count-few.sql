(SELECT started_at, id, ver, trace_id, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND parent_id = '' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC')  LIMIT {p2:UInt64})
  UNION ALL (SELECT started_at, id, ver, trace_id, 0 FROM calls /* only project_id = {p0:String} */ /* first from the log: (started_at, id, ver, trace_id, 0) WHERE parent_id = {p3:String} ORDER BY started_at, id DESC SINCE {p1:Int64} LIMIT {p2:UInt64} */ WHERE project_id = {p0:String} AND parent_id = '' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') ORDER BY started_at DESC, id DESC LIMIT {p2:UInt64}) /* only if (SELECT 1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') LIMIT 1
  UNION ALL SELECT 1 FROM calls WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') LIMIT 1) */
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "-2208988800000000"
-- p2 = "241"
-- p3 = ""

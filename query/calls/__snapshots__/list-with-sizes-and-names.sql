SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls WHERE project_id = {p1:String} AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64}
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "a"
-- p4 = "1000"

WITH (SELECT CAST((groupArray(user_id), groupArray(name)), 'Map(String, String)') FROM (SELECT user_id, argMax(username, ver) AS name FROM api_keys GROUP BY user_id)) AS usernames SELECT started_at, id, ver, op_name, trace_id, display_name, parent_id, ended_at, exception, user_id, descendant_errors, bytes, usernames[user_id], toUInt64(trace_bytes), 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, parent_id, ended_at, exception, user_id, descendant_errors, bytes FROM calls WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p3:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String})) AS seen
  LEFT ANY JOIN (SELECT trace_id, sum(bytes) AS trace_bytes FROM (SELECT trace_id, bytes FROM (SELECT * FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND trace_id IN (SELECT trace_id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p3:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String}) AND parent_id = ''
  UNION ALL SELECT trace_id FROM calls WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p3:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String}) AND parent_id = '') ORDER BY ver DESC LIMIT 1 BY id)
  UNION ALL SELECT trace_id, bytes FROM calls WHERE project_id = {p0:String} AND trace_id IN (SELECT trace_id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p3:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String}) AND parent_id = ''
  UNION ALL SELECT trace_id FROM calls WHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND started_at <= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p3:String})
    AND (started_at, id) <= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p4:String}) AND parent_id = '')) GROUP BY trace_id) AS traces USING (trace_id) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "1767225600000001"
-- p3 = "a"
-- p4 = "b"

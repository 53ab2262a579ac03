SELECT argMax(payload, (created_at, id)) AS payload FROM feedback FINAL WHERE project_id = {p0:String} AND deleted = 0 AND created_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND created_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    GROUP BY trigger_ref, canonical_type, if(trigger_ref = '', id, '')
    ORDER BY max(created_at) DESC LIMIT {p3:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1000000000000000"
-- p2 = "2000000000000000"
-- p3 = "100"

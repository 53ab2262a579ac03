SELECT bucket, groups, count() AS total, countIf(notEmpty(row_tags) OR notEmpty(ratings)) AS scored,
      sumMap(CAST((arrayDistinct(row_tags), arrayMap(key -> toUInt64(1), arrayDistinct(row_tags))), 'Map(String, UInt64)')) AS tags, sumMap(CAST((mapKeys(ratings), arrayMap(key -> toUInt64(1), mapKeys(ratings))), 'Map(String, UInt64)')) AS counts, sumMap(ratings) AS sums
    FROM (SELECT intDiv(toUnixTimestamp(created_at), {p0:UInt64}) * {p0:UInt64} AS bucket,
      [decodeURLComponent(extract(runnable_ref, '^weave:///[^/]+/[^/]+/[^/]+/([^/:]+)'))] AS groups,
      JSONExtract(scorer, 'scorer_tags', 'Array(String)') AS row_tags, JSONExtract(scorer, 'scorer_ratings', 'Map(String, Float64)') AS ratings
    FROM feedback FINAL WHERE project_id = {p1:String} AND deleted = 0 AND created_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND created_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (startsWith(canonical_type, {p4:String})) AND hasAny(row_tags, {p5:Array(String)}) AND (decodeURLComponent(extract(trigger_ref, '^weave:///[^/]+/[^/]+/[^/]+/([^/:]+)')) = {p6:String} OR startsWith(decodeURLComponent(extract(trigger_ref, '^weave:///[^/]+/[^/]+/[^/]+/([^/:]+)')), {p7:String})) AND extract(weave_ref, '^weave:///[^/]+/[^/]+/([^/]+)/') IN {p8:Array(String)} AND mapContains(ratings, {p9:String}) AND ratings[{p9:String}] >= {p10:Float64}) GROUP BY bucket, groups ORDER BY bucket, groups LIMIT {p11:UInt64}
-- p0 = "300"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "0"
-- p3 = "3600000000"
-- p4 = "platform.runnable."
-- p5 = ["good"]
-- p6 = "watch"
-- p7 = "w"
-- p8 = ["agent_turn"]
-- p9 = "_rating_"
-- p10 = 0.5
-- p11 = "100000"

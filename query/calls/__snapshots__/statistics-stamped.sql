SELECT * FROM (SELECT roundDown(toInt64(part * {p0:UInt64}), {p1:Array(Int64)}) AS bucket,
    concat(toString(sum(number)), ' ', toString(sum(versions)), ' ', toString((SELECT sum(cityHash64(*)) FROM costs FINAL WHERE project_id IN ('', {p2:String})))) AS stamp
  FROM (
    SELECT intDiv(toUnixTimestamp(started_at), {p0:UInt64}) AS part, count() AS number, sum(cityHash64(started_at, ver, whole)) AS versions
    FROM (SELECT started_at, ver, 0 AS whole FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC')))
  UNION ALL SELECT started_at, ver, 1 AS whole FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC')))) GROUP BY part)
  GROUP BY bucket) AS stamps
  LEFT JOIN (SELECT *, 1 AS found FROM (SELECT roundDown(toUnixTimestamp(started_at), {p1:Array(Int64)}) AS bucket, ifNull(sum(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))), 0) AS m0, quantileExactInclusive({p7:Float64})(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))) AS m1, ifNull(sum(toNullable(toUInt8(exception != ''))), 0) AS m2, count() AS m3 FROM (SELECT started_at, ended_at, first_token, exception, summary FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC'))) AND parent_id = ''
  UNION ALL SELECT started_at, ended_at, first_token, exception, summary FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC'))) AND parent_id = '') GROUP BY bucket ORDER BY bucket)) AS rows USING (bucket)
-- p0 = "3600"
-- p1 = "[1767225600,1767229200]"
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "half"
-- p4 = "1767225600000000"
-- p5 = "1767232800000000"
-- p6 = "whole"
-- p7 = 0.5

SELECT * FROM (
    SELECT *, dense_rank() OVER (ORDER BY size DESC, k0) AS place FROM (
      SELECT *, sum(n) OVER (PARTITION BY k0) AS size FROM (SELECT roundDown(toUnixTimestamp(started_at), {p0:Array(Int64)}) AS bucket, request_model AS k0, count() AS n, quantileExactInclusive({p1:Float64})(toNullable(toFloat64(if(repeats_usage = 0, input_tokens, NULL)))) AS m0 FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') GROUP BY bucket, k0)))
  WHERE place <= {p5:UInt64} ORDER BY bucket, place
-- p0 = "[1767225600,1767225900,1767226200,1767226500,1767226800,1767227100,1767227400,1767227700,1767228000,1767228300,1767228600,1767228900,1767229200,1767229500,1767229800,1767230100,1767230400,1767230700,1767231000,1767231300,1767231600,1767231900,1767232200,1767232500]"
-- p1 = 0.5
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "whole"
-- p4 = "1767225600000000"
-- p5 = "50"

SELECT minOrNull(v) AS least, maxOrNull(v) AS most FROM (SELECT *, toFloat64(if(repeats_usage = 0, output_tokens, NULL)) AS v FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC')) WHERE v IS NOT NULL
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767225600000000"

SELECT toInt64(least({p0:Float64}, floor((v - {p1:Float64}) / {p2:Float64}))) AS range, count() AS n, quantileExactInclusive({p3:Float64})(toNullable(toFloat64(if(repeats_usage = 0, input_tokens, NULL)))) AS m0 FROM (SELECT *, toFloat64(if(repeats_usage = 0, output_tokens, NULL)) AS v FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p5:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p5:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p6:Int64}, 'UTC')) WHERE v IS NOT NULL GROUP BY range ORDER BY range
-- p0 = 3
-- p1 = 0
-- p2 = 2.5
-- p3 = 0.5
-- p4 = "7884e5b5dd50a10f32aee608"
-- p5 = "whole"
-- p6 = "1767225600000000"

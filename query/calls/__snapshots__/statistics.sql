SELECT roundDown(toUnixTimestamp(started_at), {p0:Array(Int64)}) AS bucket, ifNull(sum(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))), 0) AS m0, quantileExactInclusive({p1:Float64})(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))) AS m1, ifNull(sum(toNullable(toUInt8(exception != ''))), 0) AS m2
  FROM (SELECT started_at, ended_at, exception, summary FROM calls WHERE project_id = {p2:String} AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND parent_id = ''
  UNION ALL SELECT started_at, ended_at, exception, summary FROM (SELECT * FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND parent_id = '' ORDER BY ver DESC LIMIT 1 BY id)) GROUP BY bucket ORDER BY bucket
-- p0 = "[1767225600,1767229200]"
-- p1 = 0.5
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "1767225600000000"
-- p4 = "1767232800000000"

SELECT roundDown(toUnixTimestamp(started_at), {p0:Array(Int64)}) AS bucket, own.1 AS model, ifNull(sum(toNullable(own.5)), 0) AS m0, avg(toNullable(own.5)) AS m1, sum(CAST(NULL, 'Nullable(Float64)')) AS m2
  FROM (SELECT started_at, ended_at, exception, summary FROM calls WHERE project_id = {p1:String} AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (parent_id = '' OR otel_span != '')
  UNION ALL SELECT started_at, ended_at, exception, summary FROM (SELECT * FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND (parent_id = '' OR otel_span != '') ORDER BY ver DESC LIMIT 1 BY id)) ARRAY JOIN arrayMap(of_model -> (of_model.1, JSONExtractInt(of_model.2, {p4:String}), JSONExtractInt(of_model.2, {p5:String}) + JSONExtractInt(of_model.2, {p6:String}), JSONExtractInt(of_model.2, {p7:String}) + JSONExtractInt(of_model.2, {p8:String}),
  if(JSONExtractInt(of_model.2, {p9:String}) > 0, JSONExtractInt(of_model.2, {p9:String}), JSONExtractInt(of_model.2, {p5:String}) + JSONExtractInt(of_model.2, {p6:String}) + JSONExtractInt(of_model.2, {p7:String}) + JSONExtractInt(of_model.2, {p8:String})),
  JSONExtractInt(of_model.2, {p10:String}), JSONExtractInt(of_model.2, {p11:String})), JSONExtractKeysAndValuesRaw(summary, 'usage')) AS own
  GROUP BY bucket, model ORDER BY bucket, model
-- p0 = "[1767225600,1767229200]"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "1767232800000000"
-- p4 = "requests"
-- p5 = "prompt_tokens"
-- p6 = "input_tokens"
-- p7 = "completion_tokens"
-- p8 = "output_tokens"
-- p9 = "total_tokens"
-- p10 = "cache_read_input_tokens"
-- p11 = "cache_creation_input_tokens"

SELECT grouping(bucket) AS total, roundDown(toUnixTimestamp(created_at), {p0:Array(Int64)}) AS bucket, count() AS n,
    avg(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m0, min(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m1, max(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m2, quantileExactInclusive({p7:Float64})(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m3
    FROM feedback FINAL WHERE project_id = {p8:String} AND deleted = 0 AND created_at >= fromUnixTimestamp64Micro({p9:Int64}, 'UTC') AND created_at < fromUnixTimestamp64Micro({p10:Int64}, 'UTC') AND canonical_type = {p11:String} AND startsWith(trigger_ref, {p12:String})
    GROUP BY GROUPING SETS ((bucket), ())
-- p0 = "[1767225600,1767225900,1767226200,1767226500,1767226800,1767227100,1767227400,1767227700,1767228000,1767228300,1767228600,1767228900,1767229200,1767229500,1767229800,1767230100,1767230400,1767230700,1767231000,1767231300,1767231600,1767231900,1767232200,1767232500]"
-- p1 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p2 = "\\1\u0001\\2\u0001"
-- p3 = "\u0001\u0001"
-- p4 = "\u0001"
-- p5 = "output"
-- p6 = "score"
-- p7 = 0.5
-- p8 = "7884e5b5dd50a10f32aee608"
-- p9 = "1767225600000000"
-- p10 = "1767232800000000"
-- p11 = "platform.runnable.judge"
-- p12 = "weave:///acme/one/object/watch:"

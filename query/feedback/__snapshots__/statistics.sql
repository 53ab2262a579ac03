SELECT grouping(bucket) AS total, roundDown(toUnixTimestamp(created_at), {p0:Array(Int64)}) AS bucket, count() AS n,
    avg(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m0, min(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m1, max(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m2, quantileExactInclusive({p7:Float64})(toFloat64OrNull(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}))) AS m3
    FROM feedback FINAL WHERE project_id = {p8:String} AND deleted = 0 AND created_at >= fromUnixTimestamp64Micro({p9:Int64}, 'UTC') AND created_at < fromUnixTimestamp64Micro({p10:Int64}, 'UTC') AND canonical_type = {p11:String} AND startsWith(trigger_ref, {p12:String})
    GROUP BY GROUPING SETS ((bucket), ())
-- p0 = "[1767225600,1767225660,1767225720,1767225780,1767225840,1767225900,1767225960,1767226020,1767226080,1767226140,1767226200,1767226260,1767226320,1767226380,1767226440,1767226500,1767226560,1767226620,1767226680,1767226740,1767226800,1767226860,1767226920,1767226980,1767227040,1767227100,1767227160,1767227220,1767227280,1767227340,1767227400,1767227460,1767227520,1767227580,1767227640,1767227700,1767227760,1767227820,1767227880,1767227940,1767228000,1767228060,1767228120,1767228180,1767228240,1767228300,1767228360,1767228420,1767228480,1767228540,1767228600,1767228660,1767228720,1767228780,1767228840,1767228900,1767228960,1767229020,1767229080,1767229140,1767229200,1767229260,1767229320,1767229380,1767229440,1767229500,1767229560,1767229620,1767229680,1767229740,1767229800,1767229860,1767229920,1767229980,1767230040,1767230100,1767230160,1767230220,1767230280,1767230340,1767230400,1767230460,1767230520,1767230580,1767230640,1767230700,1767230760,1767230820,1767230880,1767230940,1767231000,1767231060,1767231120,1767231180,1767231240,1767231300,1767231360,1767231420,1767231480,1767231540,1767231600,1767231660,1767231720,1767231780,1767231840,1767231900,1767231960,1767232020,1767232080,1767232140,1767232200,1767232260,1767232320,1767232380,1767232440,1767232500,1767232560,1767232620,1767232680,1767232740]"
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

SELECT cell.1 AS facet, cell.2 AS value, count() AS n
  FROM (
    SELECT arrayJoin(arrayFilter(one -> one.3 = 1, [(toUInt8({p0:UInt64}), v0, toUInt8(is_0 AND ifNull(length(v0), 0) <= {p1:UInt64})), (toUInt8({p2:UInt64}), v1, toUInt8(is_1 AND isNotNull(v1))), (toUInt8({p3:UInt64}), v2, toUInt8(is_1 AND ifNull(length(v2), 0) <= {p1:UInt64})), (toUInt8({p4:UInt64}), CAST(NULL, 'Nullable(String)'), toUInt8(1))])) AS cell
    FROM (SELECT * FROM (SELECT toUInt8(ifNull((1), 0)) AS is_0, toUInt8(ifNull((1 AND (environment = {p5:String})), 0)) AS is_1, CAST(nullIf(environment, ''), 'Nullable(String)') AS v0, CAST(if(isNull(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000))), NULL, toNullable(toString(roundDown(toFloat64(assumeNotNull(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))), [{p6:Float64}, {p7:Float64}, {p8:Float64}, {p9:Float64}, {p10:Float64}, {p11:Float64}, {p12:Float64}, {p13:Float64}, {p14:Float64}, {p15:Float64}, {p16:Float64}, {p17:Float64}, {p18:Float64}, {p19:Float64}, {p20:Float64}, {p21:Float64}, {p22:Float64}, {p23:Float64}, {p24:Float64}, {p25:Float64}, {p26:Float64}, {p27:Float64}, {p28:Float64}, {p29:Float64}, {p30:Float64}, {p31:Float64}, {p32:Float64}, {p33:Float64}, {p34:Float64}, {p35:Float64}, {p36:Float64}, {p37:Float64}, {p38:Float64}, {p39:Float64}, {p40:Float64}, {p41:Float64}, {p42:Float64}, {p43:Float64}, {p44:Float64}, {p45:Float64}, {p46:Float64}, {p47:Float64}, {p48:Float64}, {p49:Float64}, {p50:Float64}, {p51:Float64}, {p52:Float64}, {p53:Float64}, {p54:Float64}, {p55:Float64}, {p56:Float64}, {p57:Float64}])))), 'Nullable(String)') AS v1, CAST(nullIf(JSONExtractString(arrayElement(JSONExtractArrayRaw(value_429de55f2d8a), 1)), ''), 'Nullable(String)') AS v2 FROM calls_open LEFT ANY JOIN (
    SELECT call_id AS call_429de55f2d8a, concat('[', arrayStringConcat(arrayMap(row -> row.3, arraySort(groupArrayIf((created_at, id, JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p58:String}, {p59:String}), {p60:String}, ''), {p61:String}, '"')), {p62:String})), JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p58:String}, {p59:String}), {p60:String}, ''), {p61:String}, '"')), {p62:String}) NOT IN ('', 'null')))), ','), ']') AS value_429de55f2d8a FROM feedback FINAL WHERE project_id = {p63:String} AND call_id != '' AND canonical_type = {p64:String} AND deleted = 0 GROUP BY call_id
  ) AS feedback_429de55f2d8a ON id = call_429de55f2d8a WHERE project_id = {p63:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p63:String} */ WHERE project_id = {p63:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p63:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p63:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p63:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p63:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p63:String} AND kind = {p65:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p63:String} AND kind = {p65:String}) = 0) AND (started_at >= fromUnixTimestamp64Micro({p66:Int64}, 'UTC')) AND ((1) OR (1 AND (environment = {p5:String})))
  UNION ALL SELECT toUInt8(ifNull((1), 0)) AS is_0, toUInt8(ifNull((1 AND (environment = {p5:String})), 0)) AS is_1, CAST(nullIf(environment, ''), 'Nullable(String)') AS v0, CAST(if(isNull(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000))), NULL, toNullable(toString(roundDown(toFloat64(assumeNotNull(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))), [{p6:Float64}, {p7:Float64}, {p8:Float64}, {p9:Float64}, {p10:Float64}, {p11:Float64}, {p12:Float64}, {p13:Float64}, {p14:Float64}, {p15:Float64}, {p16:Float64}, {p17:Float64}, {p18:Float64}, {p19:Float64}, {p20:Float64}, {p21:Float64}, {p22:Float64}, {p23:Float64}, {p24:Float64}, {p25:Float64}, {p26:Float64}, {p27:Float64}, {p28:Float64}, {p29:Float64}, {p30:Float64}, {p31:Float64}, {p32:Float64}, {p33:Float64}, {p34:Float64}, {p35:Float64}, {p36:Float64}, {p37:Float64}, {p38:Float64}, {p39:Float64}, {p40:Float64}, {p41:Float64}, {p42:Float64}, {p43:Float64}, {p44:Float64}, {p45:Float64}, {p46:Float64}, {p47:Float64}, {p48:Float64}, {p49:Float64}, {p50:Float64}, {p51:Float64}, {p52:Float64}, {p53:Float64}, {p54:Float64}, {p55:Float64}, {p56:Float64}, {p57:Float64}])))), 'Nullable(String)') AS v1, CAST(nullIf(JSONExtractString(arrayElement(JSONExtractArrayRaw(value_429de55f2d8a), 1)), ''), 'Nullable(String)') AS v2 FROM calls /* only project_id = {p63:String} */ LEFT ANY JOIN (
    SELECT call_id AS call_429de55f2d8a, concat('[', arrayStringConcat(arrayMap(row -> row.3, arraySort(groupArrayIf((created_at, id, JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p58:String}, {p59:String}), {p60:String}, ''), {p61:String}, '"')), {p62:String})), JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p58:String}, {p59:String}), {p60:String}, ''), {p61:String}, '"')), {p62:String}) NOT IN ('', 'null')))), ','), ']') AS value_429de55f2d8a FROM feedback FINAL WHERE project_id = {p63:String} AND call_id != '' AND canonical_type = {p64:String} AND deleted = 0 GROUP BY call_id
  ) AS feedback_429de55f2d8a ON id = call_429de55f2d8a WHERE project_id = {p63:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p63:String} */ WHERE project_id = {p63:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p63:String} AND kind = {p67:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p63:String} AND kind = {p67:String}) = 0) AND (started_at >= fromUnixTimestamp64Micro({p66:Int64}, 'UTC')) AND ((1) OR (1 AND (environment = {p5:String})))) LIMIT {p68:UInt64}))
  GROUP BY facet, value ORDER BY facet, n DESC, value LIMIT {p69:UInt64} BY facet
-- p0 = "0"
-- p1 = "1000"
-- p2 = "1"
-- p3 = "2"
-- p4 = "255"
-- p5 = "test"
-- p6 = 0
-- p7 = 1e-7
-- p8 = 2e-7
-- p9 = 5e-7
-- p10 = 0.000001
-- p11 = 0.000002
-- p12 = 0.000005
-- p13 = 0.00001
-- p14 = 0.00002
-- p15 = 0.00005
-- p16 = 0.0001
-- p17 = 0.0002
-- p18 = 0.0005
-- p19 = 0.001
-- p20 = 0.002
-- p21 = 0.005
-- p22 = 0.01
-- p23 = 0.02
-- p24 = 0.05
-- p25 = 0.1
-- p26 = 0.2
-- p27 = 0.5
-- p28 = 1
-- p29 = 2
-- p30 = 5
-- p31 = 10
-- p32 = 20
-- p33 = 50
-- p34 = 100
-- p35 = 200
-- p36 = 500
-- p37 = 1000
-- p38 = 2000
-- p39 = 5000
-- p40 = 10000
-- p41 = 20000
-- p42 = 50000
-- p43 = 100000
-- p44 = 200000
-- p45 = 500000
-- p46 = 1000000
-- p47 = 2000000
-- p48 = 5000000
-- p49 = 10000000
-- p50 = 20000000
-- p51 = 50000000
-- p52 = 100000000
-- p53 = 200000000
-- p54 = 500000000
-- p55 = 1000000000
-- p56 = 2000000000
-- p57 = 5000000000
-- p58 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p59 = "\\1\u0001\\2\u0001"
-- p60 = "\u0001\u0001"
-- p61 = "\u0001"
-- p62 = "emoji"
-- p63 = "7884e5b5dd50a10f32aee608"
-- p64 = "platform.reaction.1"
-- p65 = "half"
-- p66 = "1767225600000000"
-- p67 = "whole"
-- p68 = "1000000"
-- p69 = "100"

(SELECT started_at, id, ver, '', '', '', started_at, '', toUInt32(0), toUInt32(0), 1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (op_name = {p1:String} OR startsWith(op_name, {p2:String})) AND (multiSearchAny(inputs, {p3:Array(String)}) OR position(inputs, {p4:String}) > 0) AND arrayExists(x -> x IN {p3:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))])))) AND parent_id = {p9:String} AND id IN {p10:Array(String)} AND 0 AND parent_id = '' AND user_id = {p11:String} AND run_id IN {p12:Array(String)}  LIMIT {p13:UInt64})
  UNION ALL (SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND (op_name = {p1:String} OR startsWith(op_name, {p2:String})) AND (multiSearchAny(inputs, {p3:Array(String)}) OR position(inputs, {p4:String}) > 0) AND arrayExists(x -> x IN {p3:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p5:String}, {p6:String}), {p7:String}, ''), {p8:String}, '"'))])))) AND parent_id = {p9:String} AND id IN {p10:Array(String)} AND 0 AND parent_id = '' AND user_id = {p11:String} AND run_id IN {p12:Array(String)}  LIMIT {p13:UInt64})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "plain"
-- p2 = "weave:///acme/one/op/o:"
-- p3 = ["weave:///acme/one/object/o:v"]
-- p4 = "\\"
-- p5 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p6 = "\\1\u0001\\2\u0001"
-- p7 = "\u0001\u0001"
-- p8 = "\u0001"
-- p9 = "p"
-- p10 = ["a","b"]
-- p11 = "u"
-- p12 = ["r","acme/one/r"]
-- p13 = "1201"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 2 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["a"]

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND (op_name = {p4:String} OR startsWith(op_name, {p5:String})) AND parent_id = {p6:String} AND id IN {p7:Array(String)} AND 0 AND parent_id = '' AND user_id = {p8:String} AND run_id IN {p9:Array(String)} ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p10:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p11:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p11:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND (op_name = {p4:String} OR startsWith(op_name, {p5:String})) AND parent_id = {p6:String} AND id IN {p7:Array(String)} AND 0 AND parent_id = '' AND user_id = {p8:String} AND run_id IN {p9:Array(String)} ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p10:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p10:UInt64}
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "a"
-- p4 = "plain"
-- p5 = "weave:///acme/one/op/o:"
-- p6 = "p"
-- p7 = ["a","b"]
-- p8 = "u"
-- p9 = ["r","acme/one/r"]
-- p10 = "1000"
-- p11 = "whole"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND (op_name = {p3:String} OR startsWith(op_name, {p4:String})) AND (multiSearchAny(inputs, {p5:Array(String)}) OR position(inputs, {p6:String}) > 0) AND arrayExists(x -> x IN {p5:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))])))) AND parent_id = {p11:String} AND id IN {p12:Array(String)} AND 0 AND parent_id = '' AND user_id = {p13:String} AND run_id IN {p14:Array(String)}
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p15:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p15:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND (op_name = {p3:String} OR startsWith(op_name, {p4:String})) AND (multiSearchAny(inputs, {p5:Array(String)}) OR position(inputs, {p6:String}) > 0) AND arrayExists(x -> x IN {p5:Array(String)}, arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), if(JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"')))), [if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p7:String}, {p8:String}), {p9:String}, ''), {p10:String}, '"'))])))) AND parent_id = {p11:String} AND id IN {p12:Array(String)} AND 0 AND parent_id = '' AND user_id = {p13:String} AND run_id IN {p14:Array(String)}) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "a"
-- p3 = "plain"
-- p4 = "weave:///acme/one/op/o:"
-- p5 = ["weave:///acme/one/object/o:v"]
-- p6 = "\\"
-- p7 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p8 = "\\1\u0001\\2\u0001"
-- p9 = "\u0001\u0001"
-- p10 = "\u0001"
-- p11 = "p"
-- p12 = ["a","b"]
-- p13 = "u"
-- p14 = ["r","acme/one/r"]
-- p15 = "whole"

SELECT toUInt64(max(width)) AS widest, toUInt64(sum(width)) AS total FROM (SELECT 1000 + {p0:UInt64} * length(exception) AS width FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String}) = 0)
  UNION ALL SELECT 1000 + {p0:UInt64} * length(exception) AS width FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String}) = 0))
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "whole"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, (inputs != '' AND JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}, {p5:String}) != 'Null') AS sort_0, toFloat64OrNull(JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}, {p5:String})) AS sort_1, JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}, {p5:String}) AS sort_2, id AS sort_3, display_name, ended_at, exception, first_token, descendant_errors FROM calls_open WHERE project_id = {p6:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p6:String} */ WHERE project_id = {p6:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p6:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p6:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p6:String}) = 0)
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, (inputs != '' AND JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}, {p5:String}) != 'Null') AS sort_0, toFloat64OrNull(JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}, {p5:String})) AS sort_1, JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}, {p5:String}) AS sort_2, id AS sort_3, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p6:String} */ WHERE project_id = {p6:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p6:String} */ WHERE project_id = {p6:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p6:String} AND kind = {p7:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p6:String} AND kind = {p7:String}) = 0)) AS seen
  ORDER BY sort_0 DESC, sort_1 ASC, sort_2 ASC, sort_3 DESC, ver DESC, whole DESC LIMIT 1 BY id 
-- p0 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p1 = "\\1\u0001\\2\u0001"
-- p2 = "\u0001\u0001"
-- p3 = "\u0001"
-- p4 = "a"
-- p5 = "b"
-- p6 = "7884e5b5dd50a10f32aee608"
-- p7 = "whole"

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width, (inputs != '' AND JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}) != 'Null') AS sort_0, toFloat64OrNull(JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String})) AS sort_1, JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}) AS sort_2, id AS sort_3 FROM calls_open WHERE project_id = {p7:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p7:String} */ WHERE project_id = {p7:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p7:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p7:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p7:String}) = 0) )
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width, (inputs != '' AND JSONType(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}) != 'Null') AS sort_0, toFloat64OrNull(JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String})) AS sort_1, JSONExtractString(if(inputs = '' OR isValidJSON(inputs), inputs, replaceAll(replaceAll(replaceRegexpAll(inputs, {p1:String}, {p2:String}), {p3:String}, ''), {p4:String}, '"')), {p5:String}, {p6:String}) AS sort_2, id AS sort_3 FROM calls /* only project_id = {p7:String} */ WHERE project_id = {p7:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p7:String} */ WHERE project_id = {p7:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p7:String} AND kind = {p8:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p7:String} AND kind = {p8:String}) = 0) )) AS seen
  ORDER BY sort_0 DESC, sort_1 ASC, sort_2 ASC, sort_3 DESC, ver DESC, whole DESC LIMIT 1 BY id 
-- p0 = "1"
-- p1 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p2 = "\\1\u0001\\2\u0001"
-- p3 = "\u0001\u0001"
-- p4 = "\u0001"
-- p5 = "a"
-- p6 = "b"
-- p7 = "7884e5b5dd50a10f32aee608"
-- p8 = "whole"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND id IN {p1:Array(String)}
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String}) = 0) AND (started_at, id) IN (SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (SELECT arrayJoin(arrayZip({p3:Array(Int64)}, {p1:Array(String)})) AS key))
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String}) = 0) AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String} AND id IN {p1:Array(String)})) AS seen
  ORDER BY indexOf({p1:Array(String)}, id), ver DESC, whole DESC LIMIT 1 BY id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["a","b"]
-- p2 = "whole"
-- p3 = "[1767225600000000,1767225600000001]"

SELECT concat('{', {p0:String}, toJSONString(id), ',', {p1:String}, if(if(JSONType(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}) = 'Array', JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}, {p7:Int64}), '') = '', 'null', if(JSONType(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}) = 'Array', JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}, {p7:Int64}), '')), '}') AS line FROM feedback FINAL WHERE project_id = {p8:String} AND deleted = 0 AND (canonical_type = {p9:String})
    ORDER BY (payload != '' AND JSONType(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}) != 'Null') DESC, toFloat64OrNull(JSONExtractString(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String})) DESC, JSONExtractString(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}) DESC, created_at ASC, id ASC LIMIT {p10:UInt64} OFFSET {p11:UInt64}
-- p0 = "\"id\":"
-- p1 = "\"payload.a.0\":"
-- p2 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p3 = "\\1\u0001\\2\u0001"
-- p4 = "\u0001\u0001"
-- p5 = "\u0001"
-- p6 = "a"
-- p7 = "1"
-- p8 = "7884e5b5dd50a10f32aee608"
-- p9 = "platform.note.1"
-- p10 = "10"
-- p11 = "20"

SELECT count() AS count FROM feedback FINAL WHERE project_id = {p0:String} AND deleted = 0 AND (canonical_type = {p1:String})
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "platform.note.1"

SELECT concat('{', {p0:String}, toJSONString(id), '}') AS line FROM feedback FINAL WHERE project_id = {p1:String} AND deleted = 0 AND (JSONExtractString(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}) = {p7:String})
    ORDER BY created_at ASC, id ASC  
-- p0 = "\"id\":"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p3 = "\\1\u0001\\2\u0001"
-- p4 = "\u0001\u0001"
-- p5 = "\u0001"
-- p6 = "'; DROP--"
-- p7 = "\\'{p0:String}"

SELECT {p0:String} AS trace, toString(op_name) AS op, match(op_name, {p1:String}) AS predicts
    FROM (SELECT op_name FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) AND trace_id IN {p3:Array(String)} GROUP BY op_name
  UNION ALL SELECT op_name FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p4:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p4:String}) = 0) AND trace_id IN {p3:Array(String)} GROUP BY op_name) GROUP BY trace, op_name

-- {"p0":"t","p1":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p2":"p1","p3":["t"],"p4":"whole"}

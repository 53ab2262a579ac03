SELECT trace_id AS trace, toString(op_name) AS op, match(op_name, {p0:String}) AS predicts
    FROM (SELECT trace_id, op_name FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String}) = 0) AND trace_id IN {p2:Array(String)} GROUP BY trace_id, op_name
  UNION ALL SELECT trace_id, op_name FROM calls WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p3:String}) = 0) AND trace_id IN {p2:Array(String)} GROUP BY trace_id, op_name) GROUP BY trace, op_name

-- {"p0":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p1":"p1","p2":["t","u"],"p3":"whole"}

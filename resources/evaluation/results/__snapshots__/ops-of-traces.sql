SELECT trace_id AS trace, toString(op_name) AS op, match(op_name, {p0:String}) AS predicts
    FROM (SELECT trace_id, op_name FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND trace_id IN {p2:Array(String)} GROUP BY trace_id, op_name
  UNION ALL SELECT trace_id, op_name FROM calls WHERE project_id = {p1:String} AND trace_id IN {p2:Array(String)} GROUP BY trace_id, op_name) GROUP BY trace, op_name

-- {"p0":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p1":"p1","p2":["t","u"]}

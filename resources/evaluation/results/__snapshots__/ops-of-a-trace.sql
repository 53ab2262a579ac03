SELECT {p0:String} AS trace, toString(op_name) AS op, match(op_name, {p1:String}) AS predicts
    FROM (SELECT op_name FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND trace_id IN {p3:Array(String)} GROUP BY op_name
  UNION ALL SELECT op_name FROM calls WHERE project_id = {p2:String} AND trace_id IN {p3:Array(String)} GROUP BY op_name) GROUP BY trace, op_name

-- {"p0":"t","p1":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p2":"p1","p3":["t"]}

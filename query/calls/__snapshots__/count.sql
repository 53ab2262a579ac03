SELECT sum(n) AS count FROM (SELECT uniqExact(cityHash64(id)) AS n FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (op_name = {p1:String})
  UNION ALL SELECT count() AS n FROM calls WHERE project_id = {p0:String} AND (op_name = {p1:String}))
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "o"

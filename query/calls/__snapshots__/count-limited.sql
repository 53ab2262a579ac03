SELECT sum(n) AS count, sum(size) AS bytes FROM (SELECT count() AS n, sum(bytes) AS size FROM (SELECT * FROM (SELECT bytes FROM (SELECT * FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (op_name = {p1:String}) ORDER BY ver DESC LIMIT 1 BY id)
  UNION ALL SELECT bytes FROM calls WHERE project_id = {p0:String} AND (op_name = {p1:String})) LIMIT {p2:UInt64}))
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "o"
-- p2 = "10"

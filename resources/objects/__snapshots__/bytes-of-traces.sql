SELECT sum(bytes) AS bytes FROM (SELECT bytes FROM calls_open WHERE project_id = {p0:String}
        UNION ALL SELECT bytes FROM calls WHERE project_id = {p0:String})

-- {"p0":"p1"}

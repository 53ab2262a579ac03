SELECT digest, argMax(rows, ver) AS count, argMax(bytes, ver) AS bytes FROM tables
    WHERE project_id = {p0:String} AND digest IN {p1:Array(String)} GROUP BY digest

-- {"p0":"p1","p1":["table1","'; DROP TABLE tables; --"]}

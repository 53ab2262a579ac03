SELECT row_digest FROM table_index WHERE project_id = {p0:String} AND digest = {p1:String} ORDER BY position LIMIT 1 BY position

-- {"p0":"p1","p1":"table1"}

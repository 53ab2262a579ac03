SELECT digest, upload, n FROM table_rows
    WHERE project_id = {p0:String} AND digest_key IN (SELECT digest_key FROM table_lists WHERE list = {p1:String})

-- {"p0":"p1","p1":"list1"}

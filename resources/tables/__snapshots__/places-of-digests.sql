SELECT digest, upload, n FROM table_rows
    WHERE project_id = {p0:String} AND digest_key IN (SELECT cityHash64(arrayJoin({p1:Array(String)})))

-- {"p0":"p1","p1":["a","'; DROP TABLE tables; --"]}

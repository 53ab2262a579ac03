SELECT upload, n, val FROM table_rows WHERE project_id = {p0:String} AND (upload, n) IN {p1:Array(Tuple(UInt64, UInt64))}

-- {"p0":"p1","p1":[{"values":[7,1]}]}

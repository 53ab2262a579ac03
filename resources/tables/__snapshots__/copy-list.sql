INSERT INTO table_index (project_id, digest, position, row_digest, upload, n, bytes)
    SELECT {p0:String}, {p1:String}, place, row_digest, upload, n, bytes
    FROM (SELECT position - {p2:Int64} + {p2:Int64} AS place, row_digest, upload, n, bytes
      FROM table_index WHERE project_id = {p0:String} AND digest = {p3:String} AND position >= {p4:UInt64} AND position < {p5:UInt64} UNION ALL SELECT position - {p6:Int64} + {p7:Int64} AS place, row_digest, upload, n, bytes
      FROM table_index WHERE project_id = {p0:String} AND digest = {p8:String} AND position >= {p9:UInt64} AND position < {p10:UInt64})

-- {"p0":"p1","p1":"table2","p2":"0","p3":"table1","p4":"0","p5":"10","p6":"11","p7":"12","p8":"'; DROP TABLE tables; --","p9":"11","p10":"20"}

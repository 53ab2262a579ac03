INSERT INTO table_index (project_id, digest, position, row_digest, upload, n, bytes)
    SELECT {p0:String}, {p1:String}, position, row_digest, upload, n, bytes
    FROM (SELECT position, row_digest FROM table_lists WHERE list = {p2:String} AND digest_key BETWEEN {p3:UInt64} AND {p4:UInt64}) AS l LEFT ANY JOIN (
      SELECT digest, upload, n, bytes FROM table_rows
      WHERE project_id = {p0:String} AND digest_key BETWEEN {p3:UInt64} AND {p4:UInt64} AND digest_key IN (SELECT digest_key FROM table_lists WHERE list = {p2:String} AND digest_key BETWEEN {p3:UInt64} AND {p4:UInt64})
    ) AS r ON l.row_digest = r.digest

-- {"p0":"p1","p1":"table1","p2":"list1","p3":"0","p4":"18446744073709551615"}

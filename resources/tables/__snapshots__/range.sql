SELECT concat('{"digest":"', row_digest, '","val":', val, ',"original_index":', toString(position), '}
') FROM (SELECT upload, n, digest, val FROM table_rows WHERE project_id = {p0:String}
      AND (upload, n) IN (SELECT upload, n FROM (SELECT position, row_digest, upload, n FROM table_index WHERE project_id = {p0:String} AND digest = {p1:String} AND position >= {p2:UInt64} AND position < {p3:UInt64}
    LIMIT 1 BY position))) AS r
    INNER JOIN (SELECT position, row_digest, upload, n FROM table_index WHERE project_id = {p0:String} AND digest = {p1:String} AND position >= {p2:UInt64} AND position < {p3:UInt64}
    LIMIT 1 BY position) AS l ON r.upload = l.upload AND r.n = l.n AND r.digest = l.row_digest ORDER BY position

-- {"p0":"p1","p1":"table1","p2":"100","p3":"200"}

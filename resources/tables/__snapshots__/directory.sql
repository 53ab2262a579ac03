SELECT reinterpretAsUInt64(tryBase64Decode(substring(row_digest, 1, 12))) AS start, position, upload, n,
      toUInt32(cityHash64(row_digest))
    FROM (SELECT position, row_digest, upload, n FROM table_index WHERE project_id = {p0:String} AND digest = {p1:String} AND upload > 0
    LIMIT 1 BY position) ORDER BY start, position

-- {"p0":"p1","p1":"table1"}

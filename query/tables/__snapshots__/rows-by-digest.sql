SELECT project_id, digest, val FROM table_rows WHERE (project_id, upload, n) IN (
    SELECT project_id, upload, n FROM table_rows
    WHERE (project_id, digest_key) IN (SELECT (k.1, cityHash64(k.2)) FROM (SELECT arrayJoin({p0:Array(Tuple(String, String))}) AS k))
  ) AND (project_id, digest) IN {p0:Array(Tuple(String, String))} LIMIT 1 BY project_id, digest

-- {"p0":[{"values":["p1","a"]}]}

SELECT project_id, object_id, digest, max(val) AS val FROM objects /* only object_id = {p0:Array(String)} */ WHERE (project_id, object_id, digest) IN {p1:Array(Tuple(String, String, String))}
  GROUP BY project_id, object_id, digest

-- {"p0":["thing"],"p1":[{"values":["p1","thing","d"]}]}

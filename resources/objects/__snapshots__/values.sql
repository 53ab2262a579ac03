SELECT project_id, object_id, digest, max(val) AS val FROM objects WHERE (project_id, object_id, digest) IN {p0:Array(Tuple(String, String, String))}
  GROUP BY project_id, object_id, digest

-- {"p0":[{"values":["p1","thing","d"]}]}

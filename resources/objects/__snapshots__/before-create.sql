SELECT project_id, object_id, groupUniqArrayIf((kind, base_class), live) AS classes,
    groupArrayIf((digest, live), (project_id, object_id, digest) IN {p0:Array(Tuple(String, String, String))}) AS known,
    max(greatest(written, deleted)) AS newest
  FROM (SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM objects /* only object_id = {p1:Array(String)} */ WHERE (project_id, object_id) IN {p2:Array(Tuple(String, String))} GROUP BY project_id, object_id, digest) GROUP BY project_id, object_id

-- {"p0":[{"values":["p1","thing","d"]}],"p1":["thing"],"p2":[{"values":["p1","thing"]}]}

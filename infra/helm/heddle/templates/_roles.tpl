{{/*
The Node roles: what each is called, what it listens on and what it uses. Everything about a role that is not the
operator's to choose stands here, once.
*/}}
{{- define "heddle.roleTable" -}}
tracing:
  component: tracing
  port: 8080
  portSetting: HEDDLE_PORT
  # OTLP over gRPC, the default of HEDDLE_OTLP_GRPC_PORT.
  grpcPort: 4317
  uses: [store, redis, artifacts, providers, training, outside, spans]
ingest:
  component: ingest
  port: 8080
  portSetting: HEDDLE_PORT
  # OTLP over gRPC, the default of HEDDLE_OTLP_GRPC_PORT.
  grpcPort: 4317
  uses: [store, spans]
trainingApi:
  component: training-api
  port: 8081
  portSetting: HEDDLE_TRAINING_PORT
  uses: [store, redis, artifacts, tracing, outside, spans]
inferenceWorker:
  component: inference-worker
  uses: [redis, nodes, spans]
trainerWorker:
  component: trainer-worker
  uses: [store, redis, nodes, trainNodes, artifacts, outside, spans]
  # It hands its jobs on at once, so it asks for no time.
  stops: at once
evaluationWorker:
  component: evaluation-worker
  uses: [store, redis, artifacts, providers, outside, spans]
{{- end -}}

{{/*
A role as it will be: the table's facts, the defaults and the operator's values. Takes: root, key. Gives YAML, for
fromYaml; `wanted` says whether it runs at all.
*/}}
{{- define "heddle.role" -}}
{{- $root := .root -}}
{{- $facts := get (include "heddle.roleTable" $root | fromYaml) .key -}}
{{- $values := mergeOverwrite (deepCopy $root.Values.roleDefaults) (deepCopy (get $root.Values .key)) -}}
{{- $needed := dict "inferenceWorker" (include "heddle.nodes" $root) "trainerWorker" (and $root.Values.artifacts.address (include "heddle.trainNodes" $root)) -}}
{{- $wanted := and $values.enabled (or (not (hasKey $needed .key)) (not (empty (get $needed .key)))) -}}
{{- $name := printf "%s-%s" (include "heddle.fullname" $root) $facts.component -}}
{{- toYaml (dict "key" .key "name" $name "wanted" $wanted "facts" $facts "values" $values) -}}
{{- end -}}

{{/* All addresses where nodes may be, with commas between them; pools that grow are listed at their largest. */}}
{{- define "heddle.nodes" -}}
{{- include "heddle.nodesOf" (dict "root" . "pools" (include "heddle.pools" . | fromYaml).pools) -}}
{{- end -}}

{{/* Those that train. */}}
{{- define "heddle.trainNodes" -}}
{{- $training := list -}}
{{- range (include "heddle.pools" . | fromYaml).pools }}{{ if .values.train }}{{ $training = append $training . }}{{ end }}{{ end -}}
{{- include "heddle.nodesOf" (dict "root" . "pools" $training) -}}
{{- end -}}

{{- define "heddle.nodesOf" -}}
{{- $all := list -}}
{{- range $pool := .pools -}}
{{- $pods := ternary $pool.values.autoscaling.maxReplicas $pool.values.replicas $pool.values.autoscaling.enabled -}}
{{- range $i := until (int $pods) -}}
{{- $all = append $all (printf "%s-%d.%s:50051" $pool.name $i $pool.name) -}}
{{- end -}}
{{- end -}}
{{- concat $all .root.Values.modelServer.externalNodes | join "," -}}
{{- end -}}

{{/* Every model of every pool, with the pool's values: YAML with the list `pools`. */}}
{{- define "heddle.pools" -}}
{{- $root := . -}}
{{- $pools := list -}}
{{- range $pool := .Values.modelServer.pools -}}
{{- $values := mergeOverwrite (deepCopy $root.Values.modelServer.defaults) (deepCopy $pool) -}}
{{- range $model := $pool.models -}}
{{- $name := printf "%s-%s-%s" (include "heddle.fullname" $root) $pool.name (regexReplaceAll "[^a-z0-9]+" (lower $model.name) "-") | trunc 56 | trimSuffix "-" -}}
{{- $component := trimPrefix (printf "%s-" (include "heddle.fullname" $root)) $name -}}
{{- $pools = append $pools (dict "name" $name "component" $component "pool" $pool.name "model" $model "values" (omit $values "models")) -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "pools" $pools) -}}
{{- end -}}

{{/* Parts of pods that all have alike: Pod Security's `restricted`, where they run, who they are. */}}

{{- define "heddle.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "heddle.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Takes: root, component, values. */}}
{{- define "heddle.placement" -}}
{{- $values := .values -}}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- $kind := default "none" $values.antiAffinity }}
{{- if $values.affinity }}
affinity:
  {{- toYaml $values.affinity | nindent 2 }}
{{- else if eq $kind "hard" }}
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "heddle.selector" . | nindent 12 }}
{{- else if eq $kind "soft" }}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "heddle.selector" . | nindent 14 }}
{{- end }}
{{- with $values.topologySpread }}
{{- if .key }}
topologySpreadConstraints:
  - maxSkew: {{ .maxSkew }}
    topologyKey: {{ .key }}
    whenUnsatisfiable: {{ .whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "heddle.selector" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end -}}

{{- define "heddle.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* What NetworkPolicies go by. Takes: uses. */}}
{{- define "heddle.useLabels" -}}
{{- if has "store" .uses }}
heddle/store: 'true'
{{- end }}
{{- if has "redis" .uses }}
heddle/redis: 'true'
{{- end }}
{{- if has "nodes" .uses }}
heddle/nodes: 'true'
{{- end }}
{{- end -}}

{{/* Holds a new pod back until the store answers and its tables are up to date. Takes: root, values. */}}
{{- define "heddle.waitForTables" -}}
- name: tables
  image: {{ include "heddle.image" (dict "root" .root "image" .root.Values.image) }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: [migrate, --check, --patience, {{ .values.storePatienceSeconds | quote }}]
  env:
    {{- $env := concat (include "heddle.env.store" .root | fromYamlArray) .root.Values.extraEnv }}
    {{- include "heddle.envList" (dict "list" $env) | nindent 4 }}
  {{- include "heddle.envFrom" (dict "root" .root "values" .values) | nindent 2 }}
  resources:
    requests: { cpu: 50m, memory: 128Mi }
    limits: { memory: 512Mi }
  securityContext:
    {{- include "heddle.containerSecurity" .root | nindent 4 }}
  volumeMounts:
    - name: tmp
      mountPath: /tmp
{{- end -}}

{{/*
A CronJob of one of Heddle's commands over the store. Takes: root, component, values (schedule, timeZone,
deadlineSeconds, retries, resources), env (more than the store's, as a list), args or command, account (annotations of an
account of its own; empty: the default one).
*/}}
{{- define "heddle.cronJob" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- $of := dict "root" $root "component" .component "name" (printf "%s-%s" (include "heddle.fullname" $root) .component) }}
---
apiVersion: batch/v1
kind: CronJob
metadata:
  {{- include "heddle.metadata" (merge (dict "annotations" $values.annotations) $of) | nindent 2 }}
spec:
  schedule: {{ $values.schedule | quote }}
  {{- with $values.timeZone }}
  timeZone: {{ . }}
  {{- end }}
  concurrencyPolicy: Forbid
  # One that could not start in time is left to the next; without this, a hundred missed ones would stop all.
  startingDeadlineSeconds: 3600
  successfulJobsHistoryLimit: 2
  failedJobsHistoryLimit: 3
  jobTemplate:
    metadata:
      labels:
        {{- include "heddle.labels" $of | nindent 8 }}
    spec:
      backoffLimit: {{ $values.retries }}
      activeDeadlineSeconds: {{ $values.deadlineSeconds }}
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: 'True'
      template:
        metadata:
          labels:
            {{- include "heddle.labels" $of | nindent 12 }}
            heddle/store: 'true'
        spec:
          restartPolicy: Never
          {{- if .account }}
          serviceAccountName: {{ $of.name }}
          {{- end }}
          automountServiceAccountToken: false
          enableServiceLinks: false
          securityContext:
            {{- include "heddle.podSecurity" $root | nindent 12 }}
          {{- include "heddle.pullSecrets" $root | nindent 10 }}
          {{- include "heddle.placement" (dict "root" $root "component" .component "values" (dict "nodeSelector" $root.Values.roleDefaults.nodeSelector "tolerations" $root.Values.roleDefaults.tolerations)) | nindent 10 }}
          containers:
            - name: {{ .component }}
              image: {{ include "heddle.image" (dict "root" $root "image" $root.Values.image) }}
              imagePullPolicy: {{ $root.Values.image.pullPolicy }}
              {{- with .command }}
              command:
                {{- toYaml . | nindent 16 }}
              {{- end }}
              {{- with .args }}
              args:
                {{- toYaml . | nindent 16 }}
              {{- end }}
              env:
                {{- include "heddle.envList" (dict "list" (concat (include "heddle.env.store" $root | fromYamlArray) .env $root.Values.extraEnv)) | nindent 16 }}
              {{- with $root.Values.extraEnvFrom }}
              envFrom:
                {{- toYaml . | nindent 16 }}
              {{- end }}
              resources:
                {{- toYaml $values.resources | nindent 16 }}
              securityContext:
                {{- include "heddle.containerSecurity" $root | nindent 16 }}
              volumeMounts:
                - name: tmp
                  mountPath: /tmp
          volumes:
            - name: tmp
              emptyDir: { sizeLimit: 1Gi }
{{- if .account }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "heddle.metadata" (merge (dict "annotations" .account) $of) | nindent 2 }}
automountServiceAccountToken: false
{{- end }}
{{- if $root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "heddle.metadata" $of | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "heddle.selector" $of | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress: []
  egress:
    {{- include "heddle.egress" (dict "root" $root "uses" .uses) | nindent 4 }}
{{- end }}
{{- end -}}

{{/* What a backup asks S3 with: the artifacts' settings, and its own keys where it has some. */}}
{{- define "heddle.env.backup" -}}
{{- include "heddle.env.artifacts" . }}
{{- if not .Values.artifacts.address }}
{{- include "heddle.env.s3place" . }}
{{- end }}
{{- include "heddle.env.cronKeys" (dict "root" . "key" "backup") }}
{{- end -}}

{{/* What an export asks S3 with: where the artifacts' S3 is, and its own keys or theirs. */}}
{{- define "heddle.env.export" -}}
{{- include "heddle.env.s3place" . }}
{{- include "heddle.env.cronKeys" (dict "root" . "key" "export") }}
{{- end -}}

{{- define "heddle.env.s3place" -}}
- name: AWS_REGION
  value: {{ .Values.artifacts.region | quote }}
{{- with .Values.artifacts.endpoint }}
- name: HEDDLE_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Keys of a CronJob; none where its account has a role. Takes: root, key (of its values). */}}
{{- define "heddle.env.cronKeys" -}}
{{- $secret := default .root.Values.artifacts.existingSecret (get .root.Values .key).existingSecret }}
{{- if $secret }}
{{- include "heddle.env.s3secret" $secret }}
{{- else if not (include "heddle.cronAccount" . | fromYaml) }}
{{- fail (printf "%s.enabled needs %s.existingSecret or artifacts.existingSecret, a secret with access-key-id and secret-access-key, or accountAnnotations of either with a cloud role." .key .key) }}
{{- end }}
{{- end -}}

{{/* Annotations of a CronJob's account. Takes: root, key (of its values). */}}
{{- define "heddle.cronAccount" -}}
{{- toYaml (default .root.Values.artifacts.accountAnnotations (get .root.Values .key).accountAnnotations) -}}
{{- end -}}

{{/* Everything of one role but its NetworkPolicy. Takes: root, role. */}}
{{- define "heddle.roleObjects" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $values := $role.values -}}
{{- $component := $role.facts.component -}}
{{- $of := dict "root" $root "component" $component "name" $role.name "values" $values }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "heddle.metadata" (merge (dict "annotations" $values.annotations) $of) | nindent 2 }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: {{ $values.maxSurge }}
      maxUnavailable: {{ $values.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "heddle.selector" $of | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "heddle.labels" $of | nindent 8 }}
        {{- include "heddle.useLabels" $role.facts | nindent 8 }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        kubectl.kubernetes.io/default-container: {{ $component }}
        {{- with merge (dict) $values.podAnnotations $root.Values.commonAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "heddle.accountName" . }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ add $values.drainSeconds $values.stopSeconds 10 }}
      securityContext:
        {{- include "heddle.podSecurity" $root | nindent 8 }}
      {{- include "heddle.pullSecrets" $root | nindent 6 }}
      {{- include "heddle.placement" $of | nindent 6 }}
      {{- if has "store" $role.facts.uses }}
      initContainers:
        {{- include "heddle.waitForTables" $of | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ $component }}
          image: {{ include "heddle.image" (dict "root" $root "image" $root.Values.image) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [{{ $component }}]
          env:
            {{- include "heddle.roleEnv" . | nindent 12 }}
          {{- include "heddle.envFrom" (dict "root" $root "values" $values) | nindent 10 }}
          ports:
            {{- with $role.facts.port }}
            - name: http
              containerPort: {{ . }}
            {{- end }}
            {{- with $role.facts.grpcPort }}
            - name: otlp-grpc
              containerPort: {{ . }}
            {{- end }}
            - name: metrics
              containerPort: 9464
          # Slow to start is no fault; from then on the event loop has to answer.
          startupProbe:
            httpGet: { path: /livez, port: metrics }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /livez, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              sleep: { seconds: {{ $values.drainSeconds }} }
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            {{- include "heddle.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
            {{- if and (has "nodes" $role.facts.uses) $root.Values.modelServer.tls.existingSecret }}
            - name: node-tls
              mountPath: /etc/heddle/node-tls
              readOnly: true
            {{- end }}
            {{- with $values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- with $values.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: {{ $values.tmpSize }} }
        {{- if and (has "nodes" $role.facts.uses) $root.Values.modelServer.tls.existingSecret }}
        - name: node-tls
          secret:
            secretName: {{ $root.Values.modelServer.tls.existingSecret }}
            items: [{ key: ca.crt, path: ca.crt }]
        {{- end }}
        {{- with $values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
---
apiVersion: v1
kind: Service
metadata:
  {{- include "heddle.metadata" (merge (dict "annotations" $values.service.annotations) $of) | nindent 2 }}
spec:
  type: {{ ternary $values.service.type "ClusterIP" (hasKey $role.facts "port") }}
  selector:
    {{- include "heddle.selector" $of | nindent 4 }}
  ports:
    {{- with $role.facts.port }}
    - name: http
      port: {{ . }}
      targetPort: http
      appProtocol: http
    {{- end }}
    {{- with $role.facts.grpcPort }}
    - name: otlp-grpc
      port: {{ . }}
      targetPort: otlp-grpc
      appProtocol: kubernetes.io/h2c
    {{- end }}
    - name: metrics
      port: 9464
      targetPort: metrics
{{- if $values.serviceAccount.create }}
{{- $account := $values.serviceAccount.annotations }}
{{- if has "artifacts" $role.facts.uses }}{{ $account = merge (dict) $account $root.Values.artifacts.accountAnnotations }}{{ end }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "heddle.metadata" (merge (dict "name" (include "heddle.accountName" .) "annotations" $account) $of) | nindent 2 }}
automountServiceAccountToken: false
{{- end }}
{{- if $values.pdb.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "heddle.metadata" $of | nindent 2 }}
spec:
  maxUnavailable: {{ $values.pdb.maxUnavailable }}
  # A pod that is not ready serves nobody, so it may always go.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "heddle.selector" $of | nindent 6 }}
{{- end }}
{{- include "heddle.autoscaler" (merge (dict "kind" "Deployment") $of) }}
{{- end -}}

{{/* Takes: root, role. */}}
{{- define "heddle.accountName" -}}
{{- default (ternary .role.name "default" .role.values.serviceAccount.create) .role.values.serviceAccount.name -}}
{{- end -}}

{{- define "bellhop.labels" -}}
app.kubernetes.io/name: bellhop
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "bellhop.selector" -}}
app.kubernetes.io/name: bellhop
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bellhop.secretName" -}}
{{ .Values.existingSecret | default (printf "%s-bellhop" .Release.Name) }}
{{- end }}

{{/* A change of the settings starts new pods. */}}
{{- define "bellhop.podAnnotations" -}}
checksum/settings: {{ printf "%s%s" (toJson .Values.config) (toJson .Values.secret) | sha256sum }}
{{- end }}

{{- define "bellhop.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "bellhop.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - configMapRef: { name: {{ .Release.Name }}-bellhop }
  - secretRef: { name: {{ include "bellhop.secretName" . }} }
volumeMounts:
  - { name: data, mountPath: /var/lib/bellhop }
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.filesClaim }}
  - { name: files, mountPath: /var/lib/bellhop/files }
  {{- end }}
{{/* Every start migrates the database, one process at a time, before it opens its port. */ -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 5
  failureThreshold: 360
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{- define "bellhop.volumes" -}}
- { name: tmp, emptyDir: {} }
{{- if .Values.filesClaim }}
- { name: files, persistentVolumeClaim: { claimName: {{ .Values.filesClaim }} } }
{{- end }}
{{- end }}

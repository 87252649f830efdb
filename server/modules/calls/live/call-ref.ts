export interface CallRef {
  companyId: string
  callId: string
}

/** Which call, of which company. */
export interface CallRef {
  companyId: string
  callId: string
}

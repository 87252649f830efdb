/** The parts of Rails' client that we use; the package has no types. */
declare module '@rails/actioncable' {
  interface Callbacks {
    connected?(): void
    disconnected?(how: { willAttemptReconnect: boolean }): void
    rejected?(): void
    received?(message: unknown): void
  }
  interface Consumer {
    subscriptions: { create(channel: string, callbacks: Callbacks): { unsubscribe(): void } }
    connection: { monitor: { connectionIsStale(): boolean }; reopen(): void }
    connect(): void
    disconnect(): void
  }
  export const adapters: { WebSocket: unknown }
  export const ConnectionMonitor: { staleThreshold: number }
  export function createConsumer(url: string): Consumer
}

export { createWebhookDelivery, type WebhookDelivery } from './delivery/delivery.ts'
export { recordEvent } from './outbox.ts'
export { webhookRoutes } from './routes.ts'

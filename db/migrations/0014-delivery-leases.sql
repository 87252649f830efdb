-- A worker has a whole subscription at a time, instead of each of its deliveries: taking one costs no write.
alter table webhook_subscriptions
  add column leased_by uuid,
  -- If that worker dies, another takes over then.
  add column leased_until timestamptz;
alter table webhook_deliveries drop column claimed_until;

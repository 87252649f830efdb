-- What happened, as subscribers are told of it. Kept only where somebody was subscribed when it happened.
create table events (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  -- As on the wire. Links to files are added when it is sent, because they expire.
  data json not null,
  recording_key text,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index events_by_age on events (created_at);

create table webhook_deliveries (
  company_id uuid not null,
  id uuid not null default new_id(),
  subscription_id uuid not null,
  -- Written together with its event and forgotten at the same age, so no constraint has to watch over it.
  event_id uuid not null,
  -- As the subscription calls it: it may have been made under an older name.
  event_name text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- Null while pending: at once.
  next_attempt_at timestamptz,
  -- Until then a worker is at it; if that worker dies, the next one takes over.
  claimed_until timestamptz,
  -- Since it was recorded, or replayed.
  tries smallint not null default 0,
  -- The last of all attempts, oldest first.
  attempts jsonb not null default '[]',
  created_at timestamptz not null default now(),
  primary key (company_id, subscription_id, id),
  foreign key (company_id, subscription_id) references webhook_subscriptions (company_id, id) on delete cascade
) with (fillfactor = 70); -- A claim then stays on its page and touches no index.
create index webhook_deliveries_due
  on webhook_deliveries (company_id, subscription_id, next_attempt_at nulls first, id) where status = 'pending';

alter table webhook_subscriptions
  -- For a while after a rotation, deliveries are signed with both.
  add column previous_secret_sealed bytea,
  add column previous_secret_until timestamptz;

-- By which the telephone exchange knows the call.
alter table calls add column control_id text not null default gen_random_uuid()::text;

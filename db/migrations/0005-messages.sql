-- A time as texts show it: ISO 8601 with all the microseconds that there are.
create function iso_micros(at timestamptz) returns text language sql stable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

create table messages (
  company_id uuid not null,
  id uuid not null default new_id(),
  business_number_id uuid not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  -- The number at the far end, whichever direction the text has.
  remote_number text not null,
  author text not null check (author in ('customer', 'employee', 'automation')),
  -- The employee who wrote it, while that employee exists.
  employee_id uuid references employees on delete set null,
  -- Encrypted; the id of its key stands in it, and it opens only for this row.
  text_sealed bytea not null,
  status text not null check (status in ('queued', 'accepted', 'delivered', 'failed', 'unknown', 'received')),
  -- Null until the provider took it.
  sms_count smallint,
  encoding text check (encoding in ('gsm7', 'ucs2')),
  failure_code text,
  -- By which the provider knows an incoming text; an outgoing one has an id for each attempt.
  provider text,
  provider_message_id text,
  seen_at timestamptz,
  received_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, business_number_id) references business_numbers (company_id, id),
  check ((direction = 'inbound') = (status = 'received')),
  check ((direction = 'inbound') = (author = 'customer'))
);
-- A provider may tell of a text more than once; it is stored once.
create unique index messages_receipt on messages (company_id, provider, provider_message_id)
  where direction = 'inbound';
create index messages_of_employee on messages (employee_id) where employee_id is not null;

-- Each is one request to a provider, which may cost money. The newest decides what has become of the text.
create table message_attempts (
  company_id uuid not null,
  id uuid not null default new_id(),
  message_id uuid not null,
  business_number_id uuid not null,
  kind text not null check (kind in ('send', 'retry', 'auto_reply')),
  -- Of the client; an automatic text has none.
  idempotency_key text,
  provider text not null,
  -- Null until the provider said it, and for ever if its answer was lost.
  provider_message_id text,
  -- Queued until it is known what came of it.
  status text not null default 'queued' check (status in ('queued', 'accepted', 'delivered', 'failed', 'unknown')),
  failure_code text,
  started_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, message_id) references messages (company_id, id) on delete cascade,
  check ((kind = 'auto_reply') = (idempotency_key is null))
);
create unique index message_attempts_send_key on message_attempts (company_id, business_number_id, idempotency_key)
  where kind = 'send';
create unique index message_attempts_retry_key on message_attempts (company_id, message_id, idempotency_key)
  where kind = 'retry';
create index message_attempts_of_message on message_attempts (company_id, message_id, id);
create index message_attempts_by_time on message_attempts (company_id, business_number_id, started_at)
  where kind <> 'auto_reply';
create index message_attempts_at_provider on message_attempts (company_id, provider, provider_message_id);

-- When a number last answered somebody by itself.
create table auto_replies (
  company_id uuid not null,
  business_number_id uuid not null,
  remote_number text not null,
  replied_at timestamptz not null,
  primary key (company_id, business_number_id, remote_number),
  foreign key (company_id, business_number_id) references business_numbers (company_id, id) on delete cascade
);

-- What an event says of a text is encrypted, as the text itself is; opened when it is sent.
alter table events
  alter column data drop not null,
  add column data_sealed bytea,
  add constraint events_data_check check (num_nonnulls(data, data_sealed) = 1);

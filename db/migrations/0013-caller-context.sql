-- The outside systems that a company lets us ask who calls.
create table integrations (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  provider text not null check (provider in ('custom', 'shopify', 'woocommerce', 'economic')),
  label text not null,
  active boolean not null default true,
  -- What may be shown of how to reach it; only some providers have them.
  url text,
  shop text,
  -- JSON of what may not, encrypted; it opens only for this row.
  secrets_sealed bytea not null,
  last_success_at timestamptz,
  -- Why it failed at last; null again once it has answered.
  last_error text,
  last_error_status integer,
  last_error_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check ((last_error is null) = (last_error_at is null))
);

-- The newest answer about each number, for a moment: who asks again meanwhile need not wait.
create table caller_lookups (
  company_id uuid not null references companies,
  phone text not null,
  contexts jsonb not null,
  enriched_at timestamptz not null,
  fresh_until timestamptz not null,
  primary key (company_id, phone)
);
create index caller_lookups_stale on caller_lookups (fresh_until);

-- What was known of the caller when the call came in; it goes with the call.
create table call_contexts (
  company_id uuid not null,
  call_id uuid not null,
  contexts jsonb not null,
  enriched_at timestamptz not null,
  primary key (company_id, call_id),
  foreign key (company_id, call_id) references calls (company_id, id) on delete cascade
);

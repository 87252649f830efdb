-- Ids are version 7 uuids made here rather than in the application: one clock orders the rows of all processes.
-- Microseconds go into the 12 bits after the milliseconds, so rows made right after one another keep their order.
create function new_id() returns uuid language sql volatile parallel safe as $$
  select (
    lpad(to_hex(us / 1000), 12, '0') || '7' ||
    lpad(to_hex((us % 1000) * 4096 / 1000), 3, '0') ||
    substr(replace(gen_random_uuid()::text, '-', ''), 17)
  )::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as clock
$$;

create table companies (
  id uuid primary key default new_id(),
  name text not null,
  address text,
  city text,
  state text,
  zip text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  vat_id text,
  requires_two_factor boolean not null default false,
  messaging_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table employees (
  id uuid primary key default new_id(),
  company_id uuid not null references companies,
  name text not null,
  email text not null,
  phone text,
  -- Null until the employee sets one: nothing signs in with it.
  password_hash text,
  invitation_pending boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint employees_of_company unique (company_id, id)
);
create unique index employees_email on employees (lower(email));

create table invitations (
  employee_id uuid primary key references employees on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);

create table api_keys (
  id uuid primary key default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  name text not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
create index api_keys_of_employee on api_keys (company_id, employee_id);

-- However a key goes (revoked, or with its employee), every process hears of it and forgets the key.
create function announce_api_key_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key_gone', old.id::text);
  return null;
end
$$;
create trigger api_key_gone after delete on api_keys for each row execute function announce_api_key_gone();

create table contacts (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  name text,
  email text,
  phone text not null,
  -- Derived, but formatting takes longer than reading the row.
  phone_formatted text not null,
  company_name text,
  note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  constraint contacts_phone unique (company_id, phone)
);

create table business_numbers (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  name text not null,
  number text not null,
  timezone text not null,
  language text not null,
  recording_enabled boolean not null default false,
  incoming_call_config jsonb not null,
  outside_business_hours_config jsonb,
  no_answer_config jsonb,
  no_answer_timeout_secs integer
    check (no_answer_timeout_secs in (15, 30, 60, 300, 600, 1200, 1800, 2700, 3600)),
  wait_audio text not null default 'ringtone' check (wait_audio in ('ringtone', 'music')),
  registration_status text not null default 'not_required'
    check (registration_status in ('not_required', 'pending', 'submitted', 'approved', 'rejected', 'failed')),
  registration_due_at timestamptz,
  registration_reason text,
  business_hours jsonb not null,
  sms_capable boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  constraint business_numbers_number unique (number)
);

-- Which employees a number's flows ring. Kept beside the configs so that the database itself refuses
-- to delete an employee who is a call target, also when both happen at once.
create table call_targets (
  company_id uuid not null,
  business_number_id uuid not null,
  slot text not null check (slot in ('incoming_call', 'outside_business_hours', 'no_answer')),
  employee_id uuid not null,
  primary key (company_id, business_number_id, slot, employee_id),
  foreign key (company_id, business_number_id) references business_numbers (company_id, id) on delete cascade,
  constraint call_targets_employee foreign key (company_id, employee_id) references employees (company_id, id)
);
create index call_targets_of_employee on call_targets (company_id, employee_id);

create table devices (
  id uuid primary key default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  name text not null,
  username text not null constraint devices_username unique,
  -- Encrypted, not hashed: SIP digest authentication computes with the password itself.
  password_sealed bytea not null,
  created_at timestamptz not null default now(),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
create index devices_of_employee on devices (company_id, employee_id);

create table oauth_clients (
  id uuid primary key default new_id(),
  name text not null,
  redirect_uris text[] not null,
  first_party boolean not null default false,
  created_at timestamptz not null default now()
);

-- Times come from the service's clock, not the database's: lifetimes are then measured by one clock.
create table sessions (
  company_id uuid not null,
  id uuid not null default new_id(),
  employee_id uuid not null,
  token_hash bytea not null constraint sessions_token unique,
  -- The password was right, but the code is still to come: good for giving the code and nothing else.
  second_factor_owed boolean not null,
  -- What an authenticator app is being set up with, until a code proves that it was.
  two_factor_setup_sealed bytea,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
create index sessions_of_employee on sessions (company_id, employee_id);

create table two_factors (
  company_id uuid not null,
  employee_id uuid not null,
  secret_sealed bytea not null,
  -- The 30-second step of the last code that was taken: neither it nor an earlier one is taken again.
  last_step bigint not null,
  created_at timestamptz not null,
  primary key (company_id, employee_id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);

-- A code that was used is deleted.
create table recovery_codes (
  company_id uuid not null,
  employee_id uuid not null,
  code_hash bytea not null,
  primary key (company_id, employee_id, code_hash),
  foreign key (company_id, employee_id) references two_factors (company_id, employee_id) on delete cascade
);

create table password_resets (
  company_id uuid not null,
  employee_id uuid not null,
  token_hash bytea not null constraint password_resets_token unique,
  -- Where the link went: no longer good when the employee has another address.
  email text not null,
  expires_at timestamptz not null,
  primary key (company_id, employee_id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);

-- How often something was tried by someone, whom the subject names as a hash, and when it may be tried again.
create table attempts (
  subject bytea primary key,
  count integer not null,
  next_at timestamptz not null,
  forgotten_at timestamptz not null
);
create index attempts_by_end on attempts (forgotten_at);

-- Beside the keys, so that noting a use never waits for, or holds up, whoever changes a key.
create table api_key_uses (
  key_id uuid primary key references api_keys on delete cascade,
  last_used_at timestamptz not null
);

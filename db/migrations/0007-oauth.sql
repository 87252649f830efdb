alter table oauth_clients
  -- Of an application that describes itself on the web: the address of that document is its client id.
  add column metadata_url text constraint oauth_clients_metadata_url unique,
  add column metadata_read_at timestamptz,
  -- The address that registered it, to slow down those who register too much.
  add column registered_from text,
  -- Null until somebody first agrees to it: such a registration is removed after a while.
  add column used_at timestamptz;
create index oauth_clients_registered on oauth_clients (registered_from, created_at);
create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;

-- What an employee has once allowed an application. Codes and tokens are of a grant and go with it.
create table oauth_grants (
  id uuid primary key default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  client_id uuid not null references oauth_clients on delete cascade,
  created_at timestamptz not null default now(),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
create index oauth_grants_of_employee on oauth_grants (company_id, employee_id);
create index oauth_grants_of_client on oauth_grants (client_id);

create table oauth_codes (
  code_hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_codes_of_grant on oauth_codes (grant_id);
create index oauth_codes_expiry on oauth_codes (expires_at);

create table oauth_access_tokens (
  token_hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  expires_at timestamptz not null
);
create index oauth_access_tokens_of_grant on oauth_access_tokens (grant_id);
create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at);

create table oauth_refresh_tokens (
  token_hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  expires_at timestamptz not null,
  -- A used one is kept until it expires, so that its second use is noticed.
  used_at timestamptz,
  -- The answer that its use was given, sealed with the token itself: for requests sent at the same time.
  answer_sealed bytea,
  check ((used_at is null) = (answer_sealed is null))
);
create index oauth_refresh_tokens_of_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_expiry on oauth_refresh_tokens (expires_at);

-- However a token goes (revoked, or with its grant or employee), every process hears of it and forgets the token.
create function announce_access_token_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_token_gone', encode(old.token_hash, 'hex'));
  return null;
end
$$;
create trigger access_token_gone after delete on oauth_access_tokens
  for each row execute function announce_access_token_gone();

-- Links by which a phone fetches its settings, once. A link is deleted when it is used.
create table provisioning_links (
  token_hash bytea primary key,
  device_id uuid not null unique references devices (id) on delete cascade,
  expires_at timestamptz not null
);
create index provisioning_links_expires_at on provisioning_links (expires_at);

alter table devices
  -- A browser's credentials are made by the page that uses them, and expire; those of a phone are typed in and stay.
  add column kind text not null default 'phone' check (kind in ('phone', 'browser')),
  add column expires_at timestamptz,
  -- When it last came or went.
  add column last_registered_at timestamptz;
create index devices_expiring on devices (expires_at) where expires_at is not null;

create index device_registrations_by_expiry on device_registrations (expires_at);

-- Whether the media of a phone is encrypted: if it registered by TLS and does not refuse it, always, or never; and when
-- it last refused.
alter table devices
  add column encryption text not null default 'auto' check (encryption in ('auto', 'required', 'off')),
  add column encryption_refused_at timestamptz;

-- What a recording looks like, measured once, when somebody first asks for it.
create table waveforms (
  company_id uuid not null references companies,
  recording_key text not null,
  duration_ms integer not null check (duration_ms >= 0),
  -- One byte for each bar, from 0 to 100.
  peaks bytea not null,
  -- Where nobody speaks: [{"start_ms": …, "end_ms": …}].
  silences jsonb not null,
  primary key (company_id, recording_key)
);

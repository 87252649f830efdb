-- Recordings that are to be put into words, and those of which that failed. What was put into words has no row.
create table transcript_orders (
  company_id uuid not null references companies,
  kind text not null check (kind in ('call', 'voicemail')),
  -- Of the call or the voicemail.
  subject_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'failed')),
  -- When the recording began, if that is not when the call was answered.
  recorded_from timestamptz,
  -- Null: at once.
  due_at timestamptz,
  -- A worker that is at it says so again and again; one that died does not.
  claimed_until timestamptz,
  -- Of the claim: what comes from an older one counts for nothing.
  claim uuid,
  tries smallint not null default 0,
  failure text check (failure in ('language', 'recording', 'refused', 'unavailable')),
  -- In words, for the operator.
  reason text,
  created_at timestamptz not null default now(),
  primary key (company_id, kind, subject_id)
);
create index transcript_orders_waiting on transcript_orders (company_id, due_at nulls first, created_at)
  where status = 'waiting';
create index transcript_orders_failed on transcript_orders (company_id, failure) where status = 'failed';

-- Whose turn it is: companies are served in a round, however much each has waiting.
create sequence transcript_turn_numbers;
create table transcript_turns (
  company_id uuid primary key references companies,
  -- The number of its last turn: who has the lowest is next.
  last_turn bigint not null default 0
);
create index transcript_turns_next on transcript_turns (last_turn);

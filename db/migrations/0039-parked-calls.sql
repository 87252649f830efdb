-- A customer whom an employee has parked hears music until somebody takes the call, at any phone of the company. The row
-- of a call that has ended means nothing: a process of the previous release does not delete it.
create table parked_calls (
  company_id uuid not null,
  slot smallint not null check (slot > 0),
  call_id uuid not null,
  parked_by uuid not null,
  parked_at timestamptz not null,
  primary key (company_id, slot),
  unique (company_id, call_id),
  foreign key (company_id, call_id) references calls (company_id, id) on delete cascade
);

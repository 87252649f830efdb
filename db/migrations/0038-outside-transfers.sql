-- Phones may transfer customers to numbers outside the company, which costs money: only if the operator allows it.
alter table companies add column outside_transfers_enabled boolean not null default false;

-- Not in `transfers`, which are between employees. A call that was transferred outside has no controller any more.
create table outside_transfers (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  call_id uuid not null,
  employee_id uuid not null,
  number text not null,
  state text not null default 'ringing' check (state in ('ringing', 'completed', 'failed')),
  started_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, call_id) references calls (company_id, id) on delete cascade
);

create unique index outside_transfers_ringing on outside_transfers (company_id, call_id) where state = 'ringing';
create index outside_transfers_lately on outside_transfers (company_id, started_at);

-- However a session ends (signed out, expired, or with its employee), every process hears of it: what it has opened
-- and keeps open must close.
create function announce_session_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_gone', old.id::text);
  return null;
end
$$;
create trigger session_gone after delete on sessions
  for each row execute function announce_session_gone();

-- A session that comes to lack the second factor its company asks for is told of in the same way.
create function announce_sessions_lacking_second_factor(of_company uuid) returns void language plpgsql as $$
begin
  perform pg_notify('session_gone', sessions.id::text) from sessions
  where company_id = of_company and not exists (
    select from two_factors
    where two_factors.company_id = of_company and two_factors.employee_id = sessions.employee_id
  );
end
$$;
create function announce_second_factor_required() returns trigger language plpgsql as $$
begin
  perform announce_sessions_lacking_second_factor(new.id);
  return null;
end
$$;
create trigger second_factor_required after update of requires_two_factor on companies
  for each row when (new.requires_two_factor and not old.requires_two_factor)
  execute function announce_second_factor_required();
create function announce_second_factor_gone() returns trigger language plpgsql as $$
begin
  if exists (select from companies where id = old.company_id and requires_two_factor) then
    perform announce_sessions_lacking_second_factor(old.company_id);
  end if;
  return null;
end
$$;
create trigger second_factor_gone after delete on two_factors
  for each row execute function announce_second_factor_gone();

-- Beside the grants, as for API keys: noting a use never holds up whoever uses or ends a grant.
create table oauth_grant_uses (
  grant_id uuid primary key references oauth_grants on delete cascade,
  last_used_at timestamptz not null
);

-- For indexes that lead with the company and go on with words.
create extension if not exists btree_gin;

-- Do-not-disturb is on when it was activated and has not expired.
alter table employees
  add column do_not_disturb_activated_at timestamptz,
  add column do_not_disturb_expires_at timestamptz;

create sequence menu_option_ids as integer;

alter table business_numbers
  drop constraint business_numbers_no_answer_timeout_secs_check,
  -- The first six are those that the older name of the resource allows.
  add constraint business_numbers_no_answer_timeout_secs_check
    check (no_answer_timeout_secs in (10, 20, 30, 40, 50, 60, 15, 300, 600, 1200, 1800, 2700, 3600));

-- Every text that a number speaks, once per language; the digest is of both.
create table prompts (
  company_id uuid not null,
  business_number_id uuid not null,
  digest text not null,
  language text not null,
  text text not null,
  -- Null until it has been spoken.
  audio_key text,
  primary key (company_id, business_number_id, digest),
  foreign key (company_id, business_number_id) references business_numbers (company_id, id) on delete cascade
);

create table voice_previews (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  created_at timestamptz not null,
  primary key (company_id, id)
);
create index voice_previews_by_time on voice_previews (company_id, created_at);

create table texting_settings (
  company_id uuid not null,
  business_number_id uuid not null,
  auto_reply_enabled boolean not null,
  auto_reply_text text,
  auto_reply_cooldown_minutes integer not null check (auto_reply_cooldown_minutes between 60 and 43200),
  primary key (company_id, business_number_id),
  foreign key (company_id, business_number_id) references business_numbers (company_id, id) on delete cascade,
  check (not auto_reply_enabled or auto_reply_text is not null)
);

create table calls (
  company_id uuid not null,
  id uuid not null default new_id(),
  business_number_id uuid not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  -- The number at the far end, whichever direction the call has.
  remote_number text not null,
  state text not null check (
    state in ('initiated', 'queued', 'answered', 'playing_audio', 'transferring', 'recording', 'bridged', 'ended')
  ),
  started_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  summary text,
  transcription text,
  transcription_segments jsonb,
  recording_key text,
  -- The employee who dialled, while that employee exists.
  initiated_by uuid references employees on delete set null,
  -- What the transcription is found by; null without one.
  words tsvector,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, business_number_id) references business_numbers (company_id, id)
);
-- A page of calls is read backwards from one of these, per direction, whatever the filters.
create index calls_by_direction on calls (company_id, direction, id);
create index calls_of_number on calls (company_id, business_number_id, direction, id);
create index calls_of_remote on calls (company_id, remote_number, direction, id);
create index calls_in_progress on calls (company_id, state, id) where state <> 'ended';
create index calls_words on calls using gin (company_id, words);

create function text_search_config(language text) returns regconfig language sql immutable parallel safe as $$
  select case language
    when 'da' then 'danish' when 'de' then 'german' when 'el' then 'greek' when 'en' then 'english'
    when 'es' then 'spanish' when 'fi' then 'finnish' when 'fr' then 'french' when 'hu' then 'hungarian'
    when 'it' then 'italian' when 'lt' then 'lithuanian' when 'nb' then 'norwegian' when 'nl' then 'dutch'
    when 'pt' then 'portuguese' when 'ro' then 'romanian' when 'ru' then 'russian' when 'sv' then 'swedish'
    when 'tr' then 'turkish' else 'simple'
  end::regconfig
$$;

-- Words are kept both as the number's language bends them and as they stand: names and other languages match too.
create function fill_call_words() returns trigger language plpgsql as $$
declare
  config regconfig := (
    select text_search_config(language) from business_numbers
    where company_id = new.company_id and id = new.business_number_id
  );
begin
  new.words := to_tsvector(config, new.transcription) || to_tsvector('simple', new.transcription);
  return new;
end
$$;
create trigger call_words before insert or update of transcription on calls
  for each row execute function fill_call_words();

create table call_employees (
  company_id uuid not null,
  call_id uuid not null,
  employee_id uuid not null,
  joined_at timestamptz not null default now(),
  primary key (company_id, call_id, employee_id),
  foreign key (company_id, call_id) references calls (company_id, id) on delete cascade,
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
create index call_employees_of_employee on call_employees (company_id, employee_id);

create table voicemails (
  company_id uuid not null,
  id uuid not null default new_id(),
  business_number_id uuid not null,
  call_id uuid,
  from_number text not null,
  listened_at timestamptz,
  transcription text,
  recording_key text,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, business_number_id) references business_numbers (company_id, id),
  foreign key (company_id, call_id) references calls (company_id, id)
);
create index voicemails_unlistened on voicemails (company_id) where listened_at is null;

create table text_snippets (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  title text not null,
  text text not null,
  position integer not null default 0 check (position >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);

create table webhook_subscriptions (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  name text not null,
  url text not null,
  events text[] not null,
  active boolean not null default true,
  secret_sealed bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);

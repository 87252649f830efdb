-- In steps: calls can be written all the while.

-- The wrap-up of a call: how it went, and a note. Employees write it for each other; the customer never sees it.
alter table calls
  add column if not exists outcome text,
  add column if not exists note text,
  -- Who wrote it last. No foreign key: it stays when its author leaves, with the name as it was (former_employees).
  add column if not exists wrapped_up_by uuid,
  add column if not exists wrapped_up_at timestamptz;

-- A call is also found by its note. The outcome is among the words, as a lexeme that no text has, so that the index which
-- combines every filter with the words of a query needs no further column.
create or replace function fill_call_words() returns trigger language plpgsql as $$
declare
  config regconfig;
  said text;
begin
  if new.transcription is null and new.note is null then
    new.words := null;
    new.slice := null;
    return new;
  end if;
  said := concat_ws(E'\n', new.transcription, new.context_text, new.note);
  select text_search_config(language) into config from business_numbers
  where company_id = new.company_id and id = new.business_number_id;
  new.words := to_tsvector(config, said) || to_tsvector('simple', said);
  if new.outcome is not null then
    new.words := new.words || array_to_tsvector(array['outcome=' || new.outcome]);
  end if;
  if new.slice is null then
    select max(id) into new.slice from call_slices where company_id = new.company_id;
    -- One id in 4,096, by its random end, begins a new slice: counting would make all calls wait for one another.
    if new.slice is null or right(new.id::text, 3) = '000' then
      insert into call_slices (company_id) values (new.company_id) returning id into new.slice;
    end if;
  end if;
  return new;
end
$$;
create or replace trigger new_call_words before insert on calls
  for each row when (new.transcription is not null or new.note is not null) execute function fill_call_words();
create or replace trigger call_words before update of transcription, context_text, note, outcome on calls
  for each row execute function fill_call_words();

-- What is written about a person goes with the contact: notes about the number, and notes of its calls. An outcome is no
-- text, and stays as the call does.
create or replace function drop_notes_of_contact() returns trigger language plpgsql as $$
begin
  delete from thread_notes where company_id = old.company_id and phone_number = old.phone;
  update calls set note = null,
    wrapped_up_by = case when outcome is not null then wrapped_up_by end,
    wrapped_up_at = case when outcome is not null then wrapped_up_at end
  where company_id = old.company_id and remote_number = old.phone and note is not null;
  return null;
end
$$;

-- Next step
drop index concurrently if exists calls_by_outcome;

-- Next step
-- Only calls with an outcome are in these: a call writes no more index entries than before.
create index concurrently calls_by_outcome on calls (company_id, outcome, direction, id) where outcome is not null;

-- Next step
drop index concurrently if exists calls_of_number_by_outcome;

-- Next step
create index concurrently calls_of_number_by_outcome
  on calls (company_id, business_number_id, outcome, direction, id) where outcome is not null;

-- Next step
drop index concurrently if exists calls_of_remote_by_outcome;

-- Next step
create index concurrently calls_of_remote_by_outcome
  on calls (company_id, remote_number, outcome, direction, id) where outcome is not null;

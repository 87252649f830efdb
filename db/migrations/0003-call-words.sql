-- Numbered over all companies, so that the number of a slice alone says whose calls it has.
create sequence call_slice_ids as integer;

-- The calls that have words, in slices of some four thousand, each of one company and newer than those before it.
-- A search goes through them from the newest and stops when it has enough: a word that half of all calls hold costs
-- no more than one slice, and a word that no call holds one look into the index per slice.
create table call_slices (
  company_id uuid not null references companies,
  id integer not null default nextval('call_slice_ids'),
  primary key (company_id, id)
);

alter table calls add column slice integer;

create or replace function fill_call_words() returns trigger language plpgsql as $$
declare
  config regconfig;
begin
  if new.transcription is null then
    new.words := null;
    new.slice := null;
    return new;
  end if;
  select text_search_config(language) into config from business_numbers
  where company_id = new.company_id and id = new.business_number_id;
  new.words := to_tsvector(config, new.transcription) || to_tsvector('simple', new.transcription);
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

-- Most calls have no transcription when they begin, and many never get one.
drop trigger call_words on calls;
create trigger new_call_words before insert on calls
  for each row when (new.transcription is not null) execute function fill_call_words();
create trigger call_words before update of transcription on calls
  for each row execute function fill_call_words();

update calls set transcription = transcription where transcription is not null;

-- Every filter is in the index: what few calls have is found by that, however many have the words.
drop index calls_words;
create index calls_words on calls
  using gin (slice, business_number_id, remote_number, direction, state, words) where words is not null;

-- What is seldom is looked up among all calls of the company at once.
create index calls_words_of_company on calls using gin (company_id, words) where words is not null;

-- A number that rings often and a person who calls often may have met only once.
create index calls_between on calls (company_id, business_number_id, remote_number, direction, id);

-- What the saved caller context of a call says, as words to search for.
alter table calls add column context_text text;

-- Words of the context count only beside a transcription: calls without one do not match.
create or replace function fill_call_words() returns trigger language plpgsql as $$
declare
  config regconfig;
  said text;
begin
  if new.transcription is null then
    new.words := null;
    new.slice := null;
    return new;
  end if;
  said := concat_ws(E'\n', new.transcription, new.context_text);
  select text_search_config(language) into config from business_numbers
  where company_id = new.company_id and id = new.business_number_id;
  new.words := to_tsvector(config, said) || to_tsvector('simple', said);
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

drop trigger call_words on calls;
create trigger call_words before update of transcription, context_text on calls
  for each row execute function fill_call_words();

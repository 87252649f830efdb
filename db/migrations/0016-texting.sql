-- A caller may leave several voicemails in one call. When one of them goes, the call stays away as long as there is
-- another.
create index voicemails_of_call on voicemails (company_id, call_id) where call_id is not null;

create or replace function drop_voicemail_from_inbox() returns trigger language plpgsql as $$
declare
  call_phone text;
  other record;
begin
  perform hold_inbox_thread(old.company_id, old.from_number);
  perform uncount_inbox_item(old.company_id, old.id);
  delete from inbox_items where company_id = old.company_id and id = old.id;
  perform find_last_inbox_items(old.company_id, old.from_number);
  select inbox_items.id, arrived_at into other
  from voicemails join inbox_items using (company_id, id)
  where company_id = old.company_id and call_id = old.call_id
  order by arrived_at limit 1;
  if found then
    update inbox_items set replaced_by = other.id, replaced_at = other.arrived_at
    where company_id = old.company_id and id = old.call_id and replaced_by = old.id;
    return null;
  end if;
  update inbox_items set replaced_by = null, replaced_at = null
  where company_id = old.company_id and id = old.call_id and replaced_by = old.id
  returning phone_number into call_phone;
  if found then
    perform show_inbox_item(old.company_id, old.call_id);
    perform find_last_inbox_items(old.company_id, call_phone);
  end if;
  return null;
end
$$;

-- The text that was answered. A job that a dying worker left is done again hours later, when the cooldown may be
-- over: no text is answered twice, nor one older than another that was.
alter table auto_replies add column message_id uuid;

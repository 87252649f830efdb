-- A call whose edge died while a voicemail was being left has ended, and may still turn out to have one: it is not told
-- of as lost before that is known.
alter table calls add column awaits_voicemail boolean not null default false;

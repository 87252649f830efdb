-- Of voicemails left before this the length is unknown.
alter table voicemails add column seconds integer check (seconds >= 0);

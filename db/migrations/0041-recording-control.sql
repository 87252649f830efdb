-- How people are told that a call of a number is recorded.
alter table business_numbers
  add column recording_notice text not null default 'none'
    check (recording_notice in ('none', 'beep', 'announcement'));

-- Whether a live call is being recorded: 'recording' or 'paused'; null if it is not. Without a check, which would read
-- the whole table. A call on an edge of the previous release has null, even if it is recorded.
alter table calls add column recording_state text;

-- The number that emergency services see when a call from this number is one for help: the one with a registered
-- address. Without one they see the number itself.
alter table business_numbers
  add column emergency_caller_id text check (emergency_caller_id ~ '^\+[1-9][0-9]{3,14}$');

-- Since when a number is out of service: it takes no calls and texts, and its history stays.
alter table business_numbers add column retired_at timestamptz;

-- Timeouts that only the older path allowed become the next larger current one, so that they can be written back.
update business_numbers
set no_answer_timeout_secs = case no_answer_timeout_secs when 10 then 15 when 20 then 30 else 60 end
where no_answer_timeout_secs in (10, 20, 40, 50);

-- 0015_uses_by_time
--
-- What was spent in a time is summed over all sessions.

-- section: up

create index model_use_at on model_use (at);

-- section: down

drop index model_use_at;

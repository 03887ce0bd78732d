-- 0008_steering
-- frozen: sqlite dafb9c8645cbcb4b, postgres 2aa8286281bfc085
--
-- A message may be heard by an agent within its turn.

-- section: up sqlite

pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''reject'', ''queue'', ''interrupt''', '''reject'', ''queue'', ''interrupt'', ''steer''')
where type = 'table' and name = 'callback';
pragma writable_schema = reset;

-- section: up postgres

alter table callback drop constraint callback_when_busy;
alter table callback add constraint callback_when_busy check (when_busy in ('reject', 'queue', 'interrupt', 'steer'));

-- section: down

update callback set when_busy = 'queue' where when_busy = 'steer';

-- section: down sqlite

pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''reject'', ''queue'', ''interrupt'', ''steer''', '''reject'', ''queue'', ''interrupt''')
where type = 'table' and name = 'callback';
pragma writable_schema = reset;

-- section: down postgres

alter table callback drop constraint callback_when_busy;
alter table callback add constraint callback_when_busy check (when_busy in ('reject', 'queue', 'interrupt'));

-- section: losses

select count(*), 'messages that were to be heard within a turn' from callback where when_busy = 'steer' and state in ('owed', 'held', 'carried');

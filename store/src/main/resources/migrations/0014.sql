-- 0014_last_lines
-- frozen: sqlite eb66c08eff76c6d4, postgres 6f142ab0ddf5682e
--
-- A runner tells the last line that a run printed, and when.

-- section: up

alter table run_use add column printed_at integer;
alter table run_use add column last_line text;

-- section: losses

select count(*), 'last lines of runs' from run_use where last_line is not null;

-- section: down

alter table run_use drop column printed_at;
alter table run_use drop column last_line;

-- 0010_sign_ins
-- frozen: sqlite 8fe0338a2b32f02c, postgres d9208574a31e7b0d
--
-- A browser's token ends with the token whose sign-in link it came from.

-- section: up

-- The token of the link; empty if the link was made with the token of the data directory.
alter table token add column maker text;

-- section: down

alter table token drop column maker;

-- section: losses

select count(*), 'tokens of browsers, which would outlive the tokens of their links' from token where maker <> '';

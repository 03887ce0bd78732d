drop table account_hold;
drop index run_account;
drop index run_lifetime;
drop index run_silence;
alter table run drop column corrections;
alter table run drop column account;
alter table run drop column lifetime_ms;
alter table run drop column heard_at;
alter table run drop column silence_ms;

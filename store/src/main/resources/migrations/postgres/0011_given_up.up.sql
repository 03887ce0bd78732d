-- Who could not be stopped in time, and was gone on without.
alter table removal_member add column given_up bigint not null default 0;

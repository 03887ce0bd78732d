-- Where the refs stand, also when the work tree they were made from is gone.
alter table work_item add column kept_repository text;

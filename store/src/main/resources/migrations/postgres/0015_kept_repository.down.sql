alter table work_item drop column kept_repository;

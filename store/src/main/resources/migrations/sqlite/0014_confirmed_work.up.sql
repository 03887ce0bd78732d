-- How directories were when a removal was confirmed, held against how they are under the fence.
create table confirmed_work (
    removal integer not null references removal (key) on delete cascade,
    host text not null,
    directory text not null,
    fingerprint text not null,
    primary key (removal, host, directory, fingerprint)
);

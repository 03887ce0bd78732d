-- How directories were when a removal was confirmed, held against how they are under the fence.
create table confirmed_work (
    removal bigint not null references removal (key) on delete cascade,
    host text not null collate "C",
    directory text not null collate "C",
    fingerprint text not null collate "C",
    primary key (removal, host, directory, fingerprint)
);

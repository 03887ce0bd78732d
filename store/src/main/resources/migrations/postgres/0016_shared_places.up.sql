-- Asked about before, with others who share the directory: what was printed is kept, the directory not again.
alter table errand_place add column again integer not null default 0;

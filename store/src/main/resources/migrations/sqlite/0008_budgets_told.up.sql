-- Of each kind, how far its use was told of; the column 'warned' says it of the time alone.
alter table budget add column told text not null default '';
update budget set told = case warned when 'no' then '' else 'wall_millis=' || warned end;

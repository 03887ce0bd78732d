-- 0009_registries
--
-- A runner may bring blueprints that only it runs.

-- section: up

alter table runner add column agents text;

-- section: down

alter table runner drop column agents;

-- section: losses

select count(*), 'runners with agents of their own' from runner where agents is not null;

alter table errand_place drop column again;

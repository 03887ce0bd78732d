-- Asked of everything that is found on a host: whether it was said to be gone.
create index errand_run_run on errand_run (run_id);
create index errand_place_directory on errand_place (directory);

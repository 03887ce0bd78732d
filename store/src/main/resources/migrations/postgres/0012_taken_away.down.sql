drop index errand_place_directory;
drop index errand_run_run;

alter table stored_part validate constraint stored_part_file;

-- Entries of logs and changes are found by time and tenant. Nothing refers to one, so that a key would only cost space: a tenth of each log.
alter table api_log drop constraint api_log_pkey;
alter table error_log drop constraint error_log_pkey;
alter table usual_log drop constraint usual_log_pkey;
alter table record_change drop constraint record_change_pkey;

alter table login_log drop constraint login_log_pkey, add constraint login_log_pkey primary key using index login_log_by_id;

alter table stored_part drop constraint stored_part_file_id_fkey;
alter table stored_file
  drop constraint stored_file_pkey, add constraint stored_file_pkey primary key using index stored_file_by_id,
  drop constraint stored_file_key_key, add constraint stored_file_key_key unique using index stored_file_by_key;
alter table stored_part add constraint stored_part_file foreign key (file_id, tenant_id) references stored_file (id, tenant_id) on delete cascade not valid;

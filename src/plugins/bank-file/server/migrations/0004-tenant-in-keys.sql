alter table bank_file drop constraint if exists bank_file_bank_account_id_fkey;
alter table bank_file_line drop constraint if exists bank_file_line_file_id_fkey;
alter table bank_account drop constraint bank_account_pkey, add constraint bank_account_pkey primary key using index bank_account_by_id;
alter table bank_file drop constraint bank_file_pkey, add constraint bank_file_pkey primary key using index bank_file_by_id;
alter table bank_file_line drop constraint bank_file_line_pkey, add constraint bank_file_line_pkey primary key using index bank_file_line_by_id;
alter table bank_file add constraint bank_file_account foreign key (bank_account_id, tenant_id) references bank_account (id, tenant_id) not valid;
alter table bank_file_line add constraint bank_file_line_file foreign key (file_id, tenant_id) references bank_file (id, tenant_id) not valid;

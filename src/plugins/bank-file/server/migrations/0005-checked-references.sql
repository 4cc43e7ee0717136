alter table bank_file validate constraint bank_file_account;
alter table bank_file_line validate constraint bank_file_line_file;

alter table platform_report_row drop constraint if exists platform_report_row_report_id_fkey;
alter table payee drop constraint payee_pkey, add constraint payee_pkey primary key using index payee_by_id;
alter table payee_income drop constraint payee_income_pkey, add constraint payee_income_pkey primary key using index payee_income_by_id;
alter table withholding_rule drop constraint withholding_rule_pkey, add constraint withholding_rule_pkey primary key using index withholding_rule_by_id;
alter table platform_report drop constraint platform_report_pkey, add constraint platform_report_pkey primary key using index platform_report_by_id;
alter table platform_report_row drop constraint platform_report_row_pkey, add constraint platform_report_row_pkey primary key using index platform_report_row_by_id;
alter table report_format drop constraint report_format_pkey, add constraint report_format_pkey primary key using index report_format_by_id;
alter table platform_report_row add constraint platform_report_row_report foreign key (report_id, tenant_id) references platform_report (id, tenant_id) not valid;

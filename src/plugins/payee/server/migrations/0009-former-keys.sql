drop index concurrently if exists platform_report_row_of_payee;

alter table notice_read validate constraint notice_read_notice;
alter table notice_read validate constraint notice_read_account;
alter table notice_told validate constraint notice_told_notice;
alter table notice_told validate constraint notice_told_account;
alter table notice_newcomer validate constraint notice_newcomer_account;

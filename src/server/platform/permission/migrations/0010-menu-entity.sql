-- Buttons have no address, and not everything has an icon.
alter table menu alter column path drop not null, alter column source drop not null;
alter table top_menu alter column path drop not null, alter column source drop not null;

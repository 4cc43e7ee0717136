-- Of entries that came to bear one code, the first keeps it.
update menu m set code = left(m.code, 40) || '_' || m.id
where m.is_deleted = 0 and exists (select from menu first where first.code = m.code and first.is_deleted = 0 and first.id < m.id);

create unique index menu_code_once on menu (code) where is_deleted = 0;

-- Whether the page lives on behind another tab: 1 no, 2 yes.
alter table menu add column keep_alive integer not null default 2;

import { type SQL, sql } from 'drizzle-orm';
import type { ServerContext } from '#server';
import type { DeclaredDictionary } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { dictionaryKey } from './dictionaries.ts';

/** Pairs the names of entries, which are separated by commas in both languages. */
function namesOf(zh: string, en: string): LocalizedText[] {
  const english = en.split(', ');
  return zh.split('、').map((name, index) => [name, english[index] ?? name]);
}

function numbered(code: string, title: LocalizedText, zh: string, en = zh.replaceAll('、', ', '), first = 1): DeclaredDictionary {
  return { code, title, entries: namesOf(zh, en).map((entry, index) => [String(index + first), entry]) };
}

/** Dictionaries of the BladeX-compatible API in display order. */
const dictionaries: readonly DeclaredDictionary[] = [
  numbered('sex', ['性别', 'Sex'], '男、女、未知', 'Male, Female, Unknown'),
  numbered(
    'notice',
    ['通知类型', 'Notice types'],
    '发布通知、批转通知、转发通知、指示通知、任免通知、事务通知',
    'Announcement, Endorsed notice, Forwarded notice, Instruction, Appointment, General affairs',
  ),
  numbered('menu_category', ['菜单类型', 'Menu types'], '菜单、按钮', 'Menu, Button'),
  numbered('button_func', ['按钮功能', 'Button placement'], '工具栏、操作栏、工具操作栏', 'Toolbar, Row actions, Toolbar and row actions'),
  numbered('yes_no', ['是否', 'Yes or no'], '否、是', 'No, Yes'),
  numbered(
    'data_scope_type',
    ['数据权限类型', 'Data scope types'],
    '全部可见、本人可见、所在机构可见、所在机构及子级可见、自定义',
    'All rows, Own rows, Own department, Own department and below, Custom',
  ),
  numbered('api_scope_type', ['接口权限类型', 'API scope types'], '系统接口、业务接口', 'System API, Business API'),
  numbered('scope_category', ['权限类型', 'Scope types'], '数据权限、接口权限', 'Data scope, API scope'),
  numbered('post_category', ['岗位类型', 'Position levels'], '高层、中层、基层、其他', 'Senior, Middle, Junior, Other'),
  numbered(
    'region',
    ['行政区划', 'Administrative divisions'],
    '国家、省份/直辖市、地市、区县、乡镇、村委',
    'Country, Province or municipality, City, District or county, Township, Village',
    0,
  ),
  numbered('org_category', ['机构类型', 'Organization types'], '公司、部门、小组', 'Company, Department, Team'),
  numbered('user_type', ['用户平台', 'User platforms'], 'WEB、APP、OTHER'),
  numbered('oss', ['对象存储类型', 'Object storage types'], 'minio、qiniu、ali、tencent、huawei、amazons3、local'),
  numbered('sms', ['短信服务类型', 'SMS providers'], 'yunpian、qiniu、ali、tencent'),
  numbered('datasource_category', ['数据源类型', 'Data source types'], 'jdbc、sharding'),
];

type SeedDeps = Pick<ServerContext, 'db'>;

/** Seeds the dictionaries of the BladeX-compatible API. Rows from older versions that still have their name get the English one. */
export async function seedDictionaries({ db }: SeedDeps): Promise<void> {
  await db.sql.execute(
    sql`update dict d set dict_value_en = g.english from ${rowsOf(dictionaries)} where d.code = g.code and d.dict_key = g.key and d.dict_value = g.value and d.dict_value_en is null`,
  );
  await addDictionaries({ db }, dictionaries);
}

/** Adds dictionaries behind the others, in one statement. Existing dictionaries are not changed, and deleted ones are not restored. */
export async function addDictionaries({ db }: SeedDeps, declared: readonly DeclaredDictionary[]): Promise<void> {
  // Servers that start together add them once.
  await db.lock('dictionary:added');
  await db.sql.execute(sql`
    with declared as (select next_id() as id, g.*, g.key = ${dictionaryKey} as "isHead" from ${rowsOf(declared)}),
      place as (select coalesce(max(sort), 0) as last from dict where parent_id = 0)
    insert into dict (id, parent_id, code, dict_key, dict_value, dict_value_en, sort, update_time)
    select g.id, case when g."isHead" then 0 else head.id end, g.code, g.key, g.value, g.english,
      case when g."isHead" then place.last else 0 end + g.sort, date_trunc('second', now())
    from place, declared g join declared head on head.code = g.code and head."isHead"
    where not exists (select from dict d where d.code = g.code and d.parent_id = 0)
    order by g.id`);
}

/** Returns the dictionaries and their entries as rows `g` of a statement. */
function rowsOf(declared: readonly DeclaredDictionary[]): SQL {
  const rows = declared.flatMap(({ code, title, entries }, index) => [
    { code, key: dictionaryKey, value: title[0], english: title[1], sort: index + 1 },
    ...entries.map(([key, [value, english]], position) => ({ code, key, value, english, sort: position + 1 })),
  ]);
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(code text, key text, value text, english text, sort integer)`;
}

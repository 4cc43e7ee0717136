import { sql } from 'drizzle-orm';
import type { ServerContext } from '#server';
import { dictionaryKey } from './dictionaries.ts';

interface SeedDictionary {
  readonly code: string;
  readonly name: string;
  readonly entries: readonly (readonly [key: string, name: string])[];
}

const numbered = (code: string, name: string, ...names: string[]): SeedDictionary => ({
  code,
  name,
  entries: names.map((entry, index) => [String(index + 1), entry]),
});

/** Dictionaries of the BladeX-compatible API in display order, and the industries of advertisers. */
const dictionaries: readonly SeedDictionary[] = [
  numbered('sex', '性别', '男', '女', '未知'),
  numbered('notice', '通知类型', '发布通知', '批转通知', '转发通知', '指示通知', '任免通知', '事务通知'),
  numbered('menu_category', '菜单类型', '菜单', '按钮'),
  numbered('button_func', '按钮功能', '工具栏', '操作栏', '工具操作栏'),
  numbered('yes_no', '是否', '否', '是'),
  numbered('data_scope_type', '数据权限类型', '全部可见', '本人可见', '所在机构可见', '所在机构及子级可见', '自定义'),
  numbered('api_scope_type', '接口权限类型', '系统接口', '业务接口'),
  numbered('scope_category', '权限类型', '数据权限', '接口权限'),
  numbered('post_category', '岗位类型', '高层', '中层', '基层', '其他'),
  {
    code: 'region',
    name: '行政区划',
    entries: ['国家', '省份/直辖市', '地市', '区县', '乡镇', '村委'].map((name, level) => [String(level), name] as const),
  },
  numbered('org_category', '机构类型', '公司', '部门', '小组'),
  numbered('user_type', '用户平台', 'WEB', 'APP', 'OTHER'),
  numbered('oss', '对象存储类型', 'minio', 'qiniu', 'ali', 'tencent', 'huawei', 'amazons3', 'local'),
  numbered('sms', '短信服务类型', 'yunpian', 'qiniu', 'ali', 'tencent'),
  numbered('datasource_category', '数据源类型', 'jdbc', 'sharding'),
  numbered(
    'industry',
    '所属行业',
    '电商零售',
    '食品饮料',
    '美妆个护',
    '服饰鞋包',
    '数码家电',
    '家居建材',
    '汽车出行',
    '教育培训',
    '金融保险',
    '医疗健康',
    '文旅酒店',
    '游戏娱乐',
    '餐饮外卖',
    '企业服务',
    '公益政务',
    '其他',
  ),
];

/** Seeds the dictionaries of the BladeX-compatible API in one statement. Existing dictionaries are not changed, and deleted ones are not restored. */
export async function seedDictionaries({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  const rows = dictionaries.flatMap(({ code, name, entries }, index) => [
    { code, key: dictionaryKey, value: name, sort: index + 1 },
    ...entries.map(([key, value], at) => ({ code, key, value, sort: at + 1 })),
  ]);
  await db.sql.execute(sql`
    with given as (
      select next_id() as id, g.*, g.key = ${dictionaryKey} as "isHead" from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(code text, key text, value text, sort integer)
    )
    insert into dict (id, parent_id, code, dict_key, dict_value, sort, update_time)
    select g.id, case when g."isHead" then 0 else head.id end, g.code, g.key, g.value, g.sort, date_trunc('second', now())
    from given g join given head on head.code = g.code and head."isHead"
    where not exists (select from dict d where d.code = g.code and d.parent_id = 0)
    order by g.id`);
}

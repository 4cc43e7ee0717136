import { Array as List, Object as Shape, type Static, Unsafe } from 'typebox';
import { codes, crud, entity, get, Nothing, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, Flag, Id, Optional, Secret, Text, Whole } from '#shared/fields';
import type { Words } from '#shared/text';

const path = '/api/blade-develop';

/** What `driverClass` of a data source may be: the family's names of the drivers, and the database this deployment itself runs on. */
export const drivers = { mysql: 'com.mysql.cj.jdbc.Driver', postgres: 'org.postgresql.Driver', embedded: 'embedded' } as const;

/** What the database of this system is called. */
export const ownDatabase = ['本系统数据库', 'The database of this system'] as const;

const elsewhere = { field: 'driverClass', isNot: drivers.embedded } as const;
const ofPostgres = { field: 'driverClass', is: drivers.postgres } as const;
const asked = { visible: elsewhere, requiredWhen: elsewhere } as const;

/** A database whose tables are read. Its address is structured: nothing of it ever becomes a connection text with options of a driver. */
export const Datasource = entity(
  'datasource',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, sort: true }),
    driverClass: Choice({
      title: ['类型', 'Kind'],
      options: [
        [drivers.mysql, ['MySQL / MariaDB', 'MySQL / MariaDB']],
        [drivers.postgres, ['PostgreSQL', 'PostgreSQL']],
        [drivers.embedded, ownDatabase],
      ],
      default: drivers.mysql,
      search: true,
      width: 170,
    }),
    host: Optional(
      Text({
        title: ['主机', 'Host'],
        maxLength: 255,
        pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45})$',
        help: [
          '主机名或地址，不含协议与端口；内网地址须由部署放行（EGRESS_ALLOW）',
          'A name or an address, without protocol and port. EGRESS_ALLOW lets addresses inside through',
        ],
        width: 200,
        ...asked,
      }),
    ),
    port: Optional(
      Whole({
        title: ['端口', 'Port'],
        minimum: 1,
        maximum: 65_535,
        help: ['留空：MySQL 3306，PostgreSQL 5432', 'Empty: 3306 for MySQL, 5432 for PostgreSQL'],
        visible: elsewhere,
      }),
    ),
    databaseName: Optional(Text({ title: ['数据库', 'Database'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...asked })),
    schemaName: Optional(
      Text({
        title: ['模式', 'Schema'],
        maxLength: 63,
        pattern: '^[^\\x00-\\x1f]+$',
        help: ['留空：public', 'Empty: public'],
        list: false,
        visible: ofPostgres,
      }),
    ),
    username: Optional(Text({ title: ['用户名', 'User'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...asked })),
    password: Optional(Secret({ title: ['密码', 'Password'], visible: elsewhere })),
    useTls: Flag({ title: ['加密连接', 'TLS'], help: ['证书须受信任', 'Its certificate must be trusted'], list: false, visible: elsewhere }),
    remark: Optional(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);
export type DatasourceRow = RowOf<typeof Datasource>;

const plain = { type: 'string' } as const;

/** Whether a data source answers: its version and how long it took, or what is wrong. */
const Verdict = Unsafe<{ works: boolean; detail: string; milliseconds: number }>({
  type: 'object',
  properties: { works: { type: 'boolean' }, detail: plain, milliseconds: { type: 'integer' } },
});

export const datasource = {
  ...crud(`${path}/datasource`, Datasource),
  select: get(`${path}/datasource/select`, {
    title: ['数据源下拉', 'Data sources to pick from'],
    who: { code: codes('datasource').page },
    input: Nothing,
    reply: List(Shape({ id: Id(), name: Unsafe<string>(plain) })),
  }),
  test: post(`${path}/datasource/test`, { title: ['测试连接', 'Test'], who: { code: 'datasource_test' }, input: Shape({ id: Id() }), reply: Verdict }),
};
export type DatasourceVerdict = Static<typeof Verdict>;

export const datasourceProblems = {
  passwordAgain: problem(400, ['连接信息已更改，请重新输入密码', 'What it connects to has changed. Enter the password again.']),
  privateHost: problem(400, ['该地址指向内网，部署未放行', 'This address leads inside, and the deployment does not allow it.']),
};

/** What is wrong with a data source, by what it or the way to it says. */
export const reachWords = {
  private: ['地址指向内网，部署未放行（EGRESS_ALLOW）', 'The address leads inside, and the deployment does not allow it (EGRESS_ALLOW)'],
  noHost: ['找不到主机，请检查主机名', 'There is no such host. Check its name'],
  noAnswer: ['主机没有响应，请检查地址、端口与防火墙', 'The host does not answer. Check address, port and firewall'],
  tooLong: ['数据库在 {seconds} 秒内没有答复', 'The database did not answer within {seconds} seconds'],
  tooMuch: ['数据库的答复过大', 'The database answered at too great a length'],
  login: ['用户名或密码不正确，或该用户不允许从此处登录', 'User or password is wrong, or this user may not sign in from here'],
  noDatabase: ['数据库不存在，或该用户无权使用', 'There is no such database, or this user may not use it'],
  certificate: ['证书不受信任', 'Its certificate is not trusted'],
  noTls: ['数据库不支持加密连接', 'The database does not offer TLS'],
  other: ['数据库答复：{reason}', 'The database says: {reason}'],
} as const satisfies Record<string, Words>;

/** What only the console says. */
export const datasourceWords = {
  test: ['测试连接', 'Test'],
  testing: ['正在连接 {name}…', 'Connecting to {name} …'],
  works: ['连接正常（{milliseconds} 毫秒）：{detail}', 'It works ({milliseconds} ms): {detail}'],
  fails: ['连接失败：{detail}', 'It does not work: {detail}'],
} as const satisfies Record<string, Words>;

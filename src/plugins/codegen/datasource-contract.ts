import type { Static, TSchema } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, get, NoInput, PageOf, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Flag, Id, Integer, Nullable, Refused, Secret, Select, Text, traitsOf } from '#shared/fields';
import { codes } from '#shared/menu-entry';

const path = '/api/blade-develop';

/** Values of `driverClass`: the driver names of the BladeX-compatible API, and the database of this deployment. */
export const drivers = { mysql: 'com.mysql.cj.jdbc.Driver', postgres: 'org.postgresql.Driver', embedded: 'embedded' } as const;

/** Name of this system's own database. */
export const ownDatabase = ['本系统数据库', 'System database'] as const;

const isRemote = { field: 'driverClass', isNot: drivers.embedded } as const;
const isPostgres = { field: 'driverClass', is: drivers.postgres } as const;
const requiredForRemote = { visible: isRemote, requiredWhen: isRemote } as const;

/** Database whose tables are read. Its address is structured, so that no user input becomes a connection string with driver options. */
export const Datasource = entity(
  'datasource',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, sort: true }),
    driverClass: Select({
      title: ['类型', 'Type'],
      options: [
        [drivers.mysql, ['MySQL / MariaDB', 'MySQL / MariaDB']],
        [drivers.postgres, ['PostgreSQL', 'PostgreSQL']],
        [drivers.embedded, ownDatabase],
      ],
      default: drivers.mysql,
      search: true,
      width: 170,
    }),
    host: Nullable(
      Text({
        title: ['主机', 'Host'],
        maxLength: 255,
        pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45})$',
        help: [
          '主机名或地址，不含协议与端口；内网地址须由部署放行（EGRESS_ALLOW）',
          'Host name or IP address without protocol or port. Private addresses must be allowed by EGRESS_ALLOW',
        ],
        width: 200,
        ...requiredForRemote,
      }),
    ),
    port: Nullable(
      Integer({
        title: ['端口', 'Port'],
        minimum: 1,
        maximum: 65_535,
        help: ['留空：MySQL 3306，PostgreSQL 5432', 'Defaults to 3306 for MySQL and 5432 for PostgreSQL'],
        visible: isRemote,
      }),
    ),
    databaseName: Nullable(Text({ title: ['数据库', 'Database'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...requiredForRemote })),
    schemaName: Nullable(
      Text({
        title: ['模式', 'Schema'],
        maxLength: 63,
        pattern: '^[^\\x00-\\x1f]+$',
        help: ['留空：public', 'Defaults to public'],
        list: false,
        visible: isPostgres,
      }),
    ),
    username: Nullable(Text({ title: ['用户名', 'User'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...requiredForRemote })),
    password: Nullable(Secret({ title: ['密码', 'Password'], visible: isRemote })),
    useTls: Flag({ title: ['加密连接', 'TLS'], help: ['证书须受信任', 'The certificate must be trusted'], list: false, visible: isRemote }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform', archivable: true },
);
export type DatasourceRow = RowOf<typeof Datasource>;

/** Form of a data source: its structured address, or the equivalent JDBC address that BladeX-compatible clients send. */
const withoutUrl = { all: [isRemote, { field: 'url', filled: false }] } as const;
const { driverClass: _driverClass, host, databaseName, ...others } = Datasource.form.properties;
const requiredWithoutUrl = (schema: TSchema) => Type.Optional({ ...schema, field: { ...traitsOf(schema), requiredWhen: withoutUrl } } as TSchema);
const DatasourceForm = Type.Object({
  shardingConfig: Refused(['不支持分库分表配置，请为每个库建立一个数据源', 'Sharding is not supported. Add one data source for each database.']),
  ...others,
  /** An unsupported driver is refused with the list of supported ones; without a value it is derived from the address. */
  driverClass: Type.Optional(Type.String({ maxLength: 128 })),
  host: requiredWithoutUrl(host) as typeof host,
  databaseName: requiredWithoutUrl(databaseName) as typeof databaseName,
  /** Such as `jdbc:mysql://db.example.com:3306/shop`. Driver options are dropped, and the text is never logged. */
  url: Type.Optional(Type.String({ maxLength: 1000, writeOnly: true })),
});
export type DatasourceSubmit = Static<typeof DatasourceForm>;

/** Reply with the data source and its address in JDBC notation. */
const DatasourceReply = Type.Object({ ...Datasource.row.properties, url: Type.Unsafe<string | null>({ type: ['string', 'null'] }) });
const datasourceCalls = crud(`${path}/datasource`, Datasource, { input: DatasourceForm });

/** Result of a connection test: version and duration, or the error. */
const TestResult = Type.Object({ works: Type.Boolean(), detail: Type.String(), milliseconds: Type.Integer() });

export const datasource = {
  ...datasourceCalls,
  list: { ...datasourceCalls.list, reply: PageOf(DatasourceReply) },
  detail: { ...datasourceCalls.detail, reply: DatasourceReply },
  submit: { ...datasourceCalls.submit, reply: DatasourceReply },
  select: get(`${path}/datasource/select`, {
    title: ['数据源下拉', 'Data source options'],
    access: { code: codes('datasource').page },
    input: NoInput,
    reply: Type.Array(Type.Object({ id: Id(), name: Type.String() })),
  }),
  test: post(`${path}/datasource/test`, {
    title: ['测试连接', 'Test'],
    access: { code: 'datasource_test' },
    input: Type.Object({ id: Id() }),
    reply: TestResult,
  }),
};

export const datasourceProblems = {
  passwordRequired: problem(400, ['连接信息已更改，请重新输入密码', 'The connection details have changed. Enter the password again.']),
  jdbcAddress: problem(400, [
    'JDBC 地址须形如 jdbc:mysql://主机:端口/数据库 或 jdbc:postgresql://主机:端口/数据库，仅支持单个主机的 MySQL / MariaDB 与 PostgreSQL',
    'Use jdbc:mysql://host:port/database or jdbc:postgresql://host:port/database. Only a single MySQL, MariaDB or PostgreSQL host is supported.',
  ]),
  driver: problem(400, ['仅支持 MySQL / MariaDB、PostgreSQL 与本系统数据库', 'Only MySQL, MariaDB, PostgreSQL and the system database are supported.']),
  otherDriver: problem(400, ['JDBC 地址与所选类型不一致', 'The JDBC address does not match the selected type.']),
  credentialsInAddress: problem(400, [
    '请将用户名和密码填入各自的字段，不要写在地址里',
    'Enter the user and password in their own fields, not in the address.',
  ]),
  privateHost: problem(400, ['该地址指向内网，部署未放行', 'This address is on a private network, which the deployment does not allow.']),
};

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ById, crud, entity, NoContent, PageOf, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Dictionary, Id, Nullable, Secret, Select, Text, Url } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';

export * from './attach-contract.ts';

const path = '/api/blade-resource/oss';
const endpoint = `${path}/endpoint`;

/** Keys of the dictionary `oss`. */
export const stores = { minio: '1', qiniu: '2', ali: '3', tencent: '4', huawei: '5', amazon: '6', local: '7' } as const;

const isRemote = { field: 'category', isNot: stores.local } as const;
const connection = ['连接', 'Connection'] as const;
const credentials = ['凭证', 'Credentials'] as const;
const isNew = { field: 'id', filled: false } as const;

const bucketName = { title: ['空间名', 'Bucket'], maxLength: 63, pattern: '^[a-z0-9][a-z0-9.-]*[a-z0-9]$' } as const;

export const ossStatus = { off: 1, enabled: 2 } as const;

/** File store of a tenant. When none is enabled, the deployment's own store is used. The secret key is encrypted and never returned. */
export const Oss = entity(
  'oss',
  {
    id: Id(),
    category: Dictionary({ title: ['存储类型', 'Type'], code: 'oss', default: stores.minio, search: true, width: 130 }),
    ossCode: Text({ title: ['资源编号', 'Code'], maxLength: 32, pattern: '^[\\w.-]+$', search: true, sort: true }),
    status: Select({
      title: ['是否启用', 'Enabled'],
      form: false,
      search: true,
      default: ossStatus.off,
      tones: { 1: 'neutral', 2: 'good' },
      options: [
        [ossStatus.off, ['否', 'No']],
        [ossStatus.enabled, ['是', 'Yes']],
      ],
    }),
    endpoint: Nullable(
      Url({
        title: ['资源地址', 'Endpoint'],
        group: connection,
        visible: isRemote,
        requiredWhen: isRemote,
        width: 280,
        placeholder: ['https://…', 'https://…'],
        help: [
          'S3 协议地址，不含存储桶，如 https://oss-cn-hangzhou.aliyuncs.com',
          'S3 endpoint without the bucket, such as https://oss-cn-hangzhou.aliyuncs.com',
        ],
      }),
    ),
    transformEndpoint: Nullable(
      Url({
        title: ['外网地址', 'Public endpoint'],
        group: connection,
        list: false,
        visible: isRemote,
        help: ['浏览器直传使用的地址，留空则同资源地址', 'Used for direct uploads from browsers. Defaults to the endpoint'],
      }),
    ),
    bucketName: Nullable(Text({ ...bucketName, group: connection, visible: isRemote, requiredWhen: isRemote })),
    appId: Nullable(
      Text({
        title: ['应用 ID', 'App ID'],
        group: connection,
        maxLength: 32,
        pattern: '^\\d+$',
        list: false,
        visible: { field: 'category', is: stores.tencent },
        help: ['空间名未带后缀时，补在其后', 'Appended to the bucket name if missing'],
      }),
    ),
    region: Nullable(
      Text({
        title: ['地域', 'Region'],
        group: connection,
        maxLength: 64,
        pattern: '^[a-z0-9-]+$',
        list: false,
        visible: { field: 'category', is: [stores.tencent, stores.huawei, stores.amazon] },
        help: ['留空则从资源地址读取', 'Defaults to the region in the endpoint'],
      }),
    ),
    accessKey: Nullable(
      Text({ title: ['访问密钥', 'Access key'], group: credentials, maxLength: 255, list: false, visible: isRemote, requiredWhen: isRemote }),
    ),
    secretKey: Nullable(
      Secret({ title: ['私密密钥', 'Secret key'], group: credentials, maxLength: 512, visible: isRemote, requiredWhen: { all: [isRemote, isNew] } }),
    ),
    remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
  },
  { archivable: true },
);
export type OssRow = RowOf<typeof Oss>;

const label = Type.Unsafe<string>({ type: 'string' });
const calls = crud(path, Oss);

/** Step of a test with its result as text. */
const Step = Type.Object({ title: Type.String(), state: Type.Unsafe<'passed' | 'failed' | 'skipped'>({ type: 'string' }), detail: Type.String() });
const TestResult = Type.Object({ works: Type.Boolean(), steps: Type.Array(Step) });
export type OssTestResult = Static<typeof TestResult>;

export const oss = {
  ...calls,
  list: { ...calls.list, reply: PageOf(Type.Object({ ...Oss.row.properties, categoryName: label, statusName: label })) },
  /** Makes this the store of the tenant's new files. A store that does not work is refused with the reason. */
  enable: post(`${path}/enable`, { title: ['启用存储', 'Enable storage'], access: { code: 'oss_enable' }, input: ById, reply: NoContent }),
  /** Writes, reads and removes a small object. */
  test: post(`${path}/test`, { title: ['测试存储连接', 'Test storage connection'], access: { code: 'oss_test' }, input: ById, reply: TestResult }),
  /** Creates a bucket in the tenant's current store; an existing bucket of the same account is not an error. */
  createBucket: post(`${endpoint}/make-bucket`, {
    title: ['创建存储桶', 'Create bucket'],
    access: { code: codes('oss').edit },
    input: Type.Object({ bucketName: Text(bucketName) }),
    reply: NoContent,
  }),
};

export const ossProblems = {
  wrongEndpoint: problem(400, ['资源地址须是 http 或 https 地址，不含路径与参数', 'The endpoint must be an http or https address without a path.']),
  privateEndpoint: problem(400, ['该地址指向内网，部署未放行', 'This address is on a private network, which the deployment does not allow.']),
  noRemoteStore: problem(409, ['未启用对象存储，文件保存在服务器磁盘', 'No object storage is enabled. Files are stored on the server disk.']),
  bucketNotCreated: problem(409, ['存储桶创建失败：{reason}', 'Could not create the bucket: {reason}']),
  notEnabled: problem(409, ['无法启用：{reason}', 'Could not enable: {reason}']),
  isEnabled: problem(409, ['启用中的存储不能删除，请先启用另一个', 'An enabled storage cannot be deleted. Enable another one first.']),
  hasFiles: problem(409, [
    '该存储中还有 {count} 个文件，不能删除或更换空间',
    'This storage still has {count} files. It cannot be deleted and its bucket cannot be changed.',
  ]),
};

/** Steps of a test, in this order. */
export const probeSteps = {
  reach: ['连接与写入', 'Connect and write'],
  read: ['读取', 'Read'],
  remove: ['删除', 'Delete'],
} as const satisfies Record<string, LocalizedText>;

/** Labels of the result of a step. */
export const probeMessages = {
  passed: ['正常', 'OK'],
  skipped: ['未执行', 'Not run'],
  local: ['文件保存在服务器磁盘', 'Files are stored on the server disk'],
  private: ['地址指向内网，部署未放行（EGRESS_ALLOW）', 'The address is on a private network, which the deployment does not allow (EGRESS_ALLOW)'],
  noHost: ['找不到主机，请检查资源地址', 'Host not found. Check the endpoint'],
  noAnswer: ['主机没有响应，请检查地址、端口与防火墙', 'The host did not respond. Check the address, port and firewall'],
  certificate: ['证书不受信任', 'The certificate is not trusted'],
  wrongKey: ['访问密钥不存在', 'Access key not found'],
  wrongSecret: ['私密密钥不正确', 'Incorrect secret key'],
  noBucket: ['空间不存在', 'Bucket not found'],
  forbidden: ['该密钥没有此操作的权限', 'This key is not allowed to perform this operation'],
  clock: ['服务器时间与存储相差过大', 'The clocks of the server and the storage differ too much'],
  region: ['地域不正确', 'Incorrect region'],
  changed: ['读出的内容与写入的不同', 'The content read differs from the content written'],
  other: ['存储返回：{reason}', 'The storage returned: {reason}'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the console. */
export const ossMessages = {
  noun: ['对象存储', 'object storage'],
  test: ['测试连接', 'Test connection'],
  testing: ['正在测试…', 'Testing…'],
  testOf: ['测试连接：{name}', 'Test connection: {name}'],
  works: ['连接正常，可以启用', 'Connected. Ready to enable.'],
  inUse: ['连接正常，使用中', 'Connected and in use'],
  fails: ['连接失败', 'Connection failed'],
  enable: ['启用', 'Enable'],
  enableQuestion: [
    '确定启用「{name}」？之后上传的文件将存入其中，已有文件保留在原处。',
    'Enable “{name}”? New files are stored there; existing files stay where they are.',
  ],
  enabled: ['已启用', 'Enabled'],
  testAgain: ['重新测试', 'Test again'],
  cancel: ['取消', 'Cancel'],
} as const satisfies Record<string, LocalizedText>;

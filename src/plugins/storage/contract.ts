import { Boolean as Bool, Array as List, String as Plain, Object as Shape, type Static, Unsafe } from 'typebox';
import { crud, Done, entity, PageOf, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, Dictionary, Id, Optional, Secret, Text, Url } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { Words } from '#shared/text';

export {
  type AttachRow,
  type AttachUse,
  attach,
  attachProblems,
  attachWords,
  fileLink,
  filePath,
  keepAttachments,
  releaseAttachments,
  removeAttachments,
  renameAttachment,
  statFile,
} from './attach-contract.ts';

const path = '/api/blade-resource/oss';
const endpoint = `${path}/endpoint`;

/** Keys of the dictionary `oss`. */
export const stores = { minio: '1', qiniu: '2', ali: '3', tencent: '4', huawei: '5', amazon: '6', local: '7' } as const;

const away = { field: 'category', isNot: stores.local } as const;
const connection = ['连接', 'Connection'] as const;
const credentials = ['凭证', 'Credentials'] as const;
const isAdded = { field: 'id', filled: false } as const;

const bucketName = { title: ['空间名', 'Bucket'], maxLength: 63, pattern: '^[a-z0-9][a-z0-9.-]*[a-z0-9]$' } as const;

export const ossStatus = { off: 1, enabled: 2 } as const;

/** Where a tenant keeps its files: one of its configurations is enabled, or the deployment keeps them. The secret key is sealed and never answered. */
export const Oss = entity('oss', {
  id: Id(),
  category: Dictionary({ title: ['存储类型', 'Kind'], code: 'oss', default: stores.minio, search: true, width: 130 }),
  ossCode: Text({ title: ['资源编号', 'Code'], maxLength: 32, pattern: '^[\\w.-]+$', search: true, sort: true }),
  status: Choice({
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
  endpoint: Optional(
    Url({
      title: ['资源地址', 'Endpoint'],
      group: connection,
      visible: away,
      requiredWhen: away,
      width: 280,
      placeholder: ['https://…', 'https://…'],
      help: [
        'S3 协议地址，不含存储桶，如 https://oss-cn-hangzhou.aliyuncs.com',
        'Where it speaks the S3 protocol, without the bucket: https://oss-cn-hangzhou.aliyuncs.com',
      ],
    }),
  ),
  transformEndpoint: Optional(
    Url({
      title: ['外网地址', 'Public endpoint'],
      group: connection,
      list: false,
      visible: away,
      help: ['浏览器直传使用的地址，留空则同资源地址', 'Where browsers send files, if not to the endpoint'],
    }),
  ),
  bucketName: Optional(Text({ ...bucketName, group: connection, visible: away, requiredWhen: away })),
  appId: Optional(
    Text({
      title: ['应用 ID', 'App id'],
      group: connection,
      maxLength: 32,
      pattern: '^\\d+$',
      list: false,
      visible: { field: 'category', is: stores.tencent },
      help: ['空间名未带后缀时，补在其后', 'Follows the name of the bucket where that lacks it'],
    }),
  ),
  region: Optional(
    Text({
      title: ['地域', 'Region'],
      group: connection,
      maxLength: 64,
      pattern: '^[a-z0-9-]+$',
      list: false,
      visible: { field: 'category', is: [stores.tencent, stores.huawei, stores.amazon] },
      help: ['留空则从资源地址读取', 'Read from the endpoint where it is left out'],
    }),
  ),
  accessKey: Optional(Text({ title: ['访问密钥', 'Access key'], group: credentials, maxLength: 255, list: false, visible: away, requiredWhen: away })),
  secretKey: Optional(Secret({ title: ['私密密钥', 'Secret key'], group: credentials, maxLength: 512, visible: away, requiredWhen: { all: [away, isAdded] } })),
  remark: Optional(Text({ title: ['备注', 'Remark'], list: false })),
});
export type OssRow = RowOf<typeof Oss>;

const label = Unsafe<string>({ type: 'string' });
const calls = crud(path, Oss);
const OfOne = Shape({ id: Id() });

/** One step of a test: what was tried, and what came of it in words. */
const Step = Shape({ title: Plain(), state: Unsafe<'passed' | 'failed' | 'skipped'>({ type: 'string' }), detail: Plain() });
const Verdict = Shape({ works: Bool(), steps: List(Step) });
export type OssVerdict = Static<typeof Verdict>;

export const oss = {
  ...calls,
  list: { ...calls.list, reply: PageOf(Shape({ ...Oss.row.properties, categoryName: label, statusName: label })) },
  /** From now on the tenant's new files go there; refused with the reason when that does not work. */
  enable: post(`${path}/enable`, { title: ['启用存储', 'Enable a store'], who: { code: 'oss_enable' }, input: OfOne, reply: Done }),
  /** Writes, reads and removes a small object. */
  test: post(`${path}/test`, { title: ['测试存储连接', 'Test a store'], who: { code: 'oss_test' }, input: OfOne, reply: Verdict }),
  /** Makes a bucket where the tenant's files go now; one that is there and is its own is no failure. */
  makeBucket: post(`${endpoint}/make-bucket`, {
    title: ['创建存储桶', 'Make a bucket'],
    who: { code: codes('oss').edit },
    input: Shape({ bucketName: Text(bucketName) }),
    reply: Done,
  }),
};

export const ossProblems = {
  wrongEndpoint: problem(400, ['资源地址须是 http 或 https 地址，不含路径与参数', 'An endpoint is an http or https address without a path.']),
  privateEndpoint: problem(400, ['该地址指向内网，部署未放行', 'This address leads inside, and the deployment does not allow it.']),
  noneAway: problem(409, ['未启用对象存储，文件保存在服务器磁盘', 'No object store is enabled. Files are kept on the server’s disk.']),
  notMade: problem(409, ['存储桶未创建：{reason}', 'The bucket was not made: {reason}']),
  notWorking: problem(409, ['无法启用：{reason}', 'It cannot be enabled: {reason}']),
  isEnabled: problem(409, ['启用中的存储不能删除，请先启用另一个', 'An enabled store cannot be deleted. Enable another one first.']),
  hasFiles: problem(409, [
    '该存储中还有 {count} 个文件，不能删除或更换空间',
    'It still keeps {count} files, and can neither be deleted nor change its bucket.',
  ]),
};

/** What a test tries, in this order. */
export const probeSteps = {
  reach: ['连接与写入', 'Connect and write'],
  read: ['读取', 'Read'],
  remove: ['删除', 'Delete'],
} as const satisfies Record<string, Words>;

/** What came of it. */
export const probeWords = {
  passed: ['正常', 'Works'],
  skipped: ['未执行', 'Not tried'],
  local: ['文件保存在服务器磁盘', 'Files are kept on the server’s disk'],
  private: ['地址指向内网，部署未放行（EGRESS_ALLOW）', 'The address leads inside, and the deployment does not allow it (EGRESS_ALLOW)'],
  noHost: ['找不到主机，请检查资源地址', 'There is no such host. Check the endpoint'],
  noAnswer: ['主机没有响应，请检查地址、端口与防火墙', 'The host does not answer. Check address, port and firewall'],
  certificate: ['证书不受信任', 'Its certificate is not trusted'],
  wrongKey: ['访问密钥不存在', 'There is no such access key'],
  wrongSecret: ['私密密钥不正确', 'The secret key is wrong'],
  noBucket: ['空间不存在', 'There is no such bucket'],
  forbidden: ['该密钥没有此操作的权限', 'This key is not allowed to do that'],
  clock: ['服务器时间与存储相差过大', 'The clocks of server and store differ too much'],
  region: ['地域不正确', 'The region is wrong'],
  changed: ['读出的内容与写入的不同', 'What was read is not what was written'],
  other: ['存储答复：{reason}', 'The store says: {reason}'],
} as const satisfies Record<string, Words>;

/** What only the console says. */
export const ossWords = {
  test: ['测试连接', 'Test'],
  testing: ['正在测试…', 'Testing…'],
  testOf: ['测试连接：{name}', 'Test of {name}'],
  works: ['连接正常，可以启用', 'It works and can be enabled'],
  inService: ['连接正常，使用中', 'It works and is in use'],
  fails: ['连接失败', 'It does not work'],
  enable: ['启用', 'Enable'],
  enableQuestion: ['启用 {name}？之后上传的文件将存入其中，已有文件仍在原处。', 'Enable {name}? New files go there; those that are kept stay where they are.'],
  enabled: ['已启用', 'Enabled'],
  again: ['重新测试', 'Test again'],
  cancel: ['取消', 'Cancel'],
} as const satisfies Record<string, Words>;

import { Boolean as Bool, Array as List, Optional as Omissible, String as Plain, Object as Shape, type Static, Unsafe } from 'typebox';
import { crud, Done, entity, get, Ids, list, PageOf, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, Dictionary, Flag, Id, Optional, Secret, Text, Url, Whole } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { Words } from '#shared/text';

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

const attachPath = '/api/blade-resource/attach';
const mayAttach = codes('attach');

const Attach = entity('attach', {
  id: Id(),
  originalName: Text({ title: ['附件原名', 'Name'], search: true, sort: true, width: 320 }),
  name: Text({ title: ['附件名称', 'Key'], list: false, form: false, copyable: true }),
  extension: Text({ title: ['附件拓展名', 'Ending'], search: true, width: 120 }),
  type: Text({ title: ['内容类型', 'Content'], width: 180 }),
  attachSize: Whole({ title: ['附件大小', 'Size'], sort: true, width: 120, maximum: Number.MAX_SAFE_INTEGER }),
  isPublic: Flag({ title: ['公开', 'Public'], list: false }),
  storeName: Text({ title: ['存储', 'Store'], width: 140 }),
  ownerName: Text({ title: ['上传人', 'Uploaded by'], search: true, width: 140 }),
  isKept: Flag({
    title: ['保留', 'Kept'],
    words: [
      ['未保留', 'Not kept'],
      ['保留', 'Kept'],
    ],
    search: true,
    width: 90,
    help: ['保留的附件即使没有记录引用也不会被清理', 'Stays even where no record refers to it'],
  }),
});

const AttachRow = Shape({ ...Attach.row.properties, link: label, domainUrl: label });
export type AttachRow = Static<typeof AttachRow>;

const attachList = list(`${attachPath}/list`, Attach, { code: mayAttach.page }, ['附件列表', 'Attachments']);

/** A record that refers to a file. */
const Use = Shape({ fileId: Id(), screen: Plain(), record: Plain(), recordId: Id() });
export type AttachUse = Static<typeof Use>;

/** What users have uploaded. */
export const attach = {
  entity: Attach,
  menu: 'attach',
  list: { ...attachList, reply: PageOf(AttachRow) },
  detail: get(`${attachPath}/detail`, { title: ['附件详情', 'Attachment'], who: { code: mayAttach.page }, input: OfOne, reply: AttachRow }),
  /** Records that refer to any of the files, twenty of each screen at most. */
  uses: get(`${attachPath}/uses`, { title: ['附件引用', 'Where attachments are used'], who: { code: mayAttach.page }, input: Ids, reply: List(Use) }),
};

/** Refused while records refer to one of them, unless that is meant. */
export const removeAttachments = post(`${attachPath}/remove`, {
  title: ['删除附件', 'Delete attachments'],
  who: { code: mayAttach.delete },
  input: Shape({ ids: Ids.properties.ids, evenUsed: Omissible(Bool()) }),
  reply: Done,
});

/** Gives an attachment another name; its content stays, and so do its links. */
export const renameAttachment = post(`${attachPath}/submit`, {
  title: ['修改附件名称', 'Rename an attachment'],
  who: { code: mayAttach.edit },
  input: Shape({ id: Id(), originalName: Text({ title: ['附件原名', 'Name'], maxLength: 255 }) }),
  reply: AttachRow,
});

/** Attachments that stay, whether or not a record refers to them; whoever adds one on its page keeps it. */
export const keepAttachments = post(`${attachPath}/keep`, {
  title: ['保留附件', 'Keep attachments'],
  who: { code: mayAttach.add },
  input: Ids,
  reply: Done,
});

/** They go when no record has referred to them for long, as any other file does. */
export const releaseAttachments = post(`${attachPath}/release`, {
  title: ['取消保留附件', 'Let go of attachments'],
  who: { code: mayAttach.edit },
  input: Ids,
  reply: Done,
});

const ByFileName = Shape({ fileName: Omissible(Plain({ maxLength: 64 })) });

/** Where a file is fetched for the next ten minutes, for ever where it is public; nothing where there is none of this name. */
export const fileLink = get(`${endpoint}/file-link`, {
  title: ['文件链接', 'Link to a file'],
  who: { code: mayAttach.page },
  input: ByFileName,
  reply: Unsafe<string | null>({ type: ['string', 'null'] }),
});

/** Where the server keeps it: a path that by itself opens a public file alone. */
export const filePath = get(`${endpoint}/file-path`, {
  title: ['文件路径', 'Path of a file'],
  who: { code: mayAttach.page },
  input: ByFileName,
  reply: Unsafe<string | null>({ type: ['string', 'null'] }),
});

/** What the family's clients ask of a file by the server's name for it. */
export const statFile = get(`${endpoint}/stat-file`, {
  title: ['文件信息', 'About a file'],
  who: { code: mayAttach.page },
  input: ByFileName,
  reply: Unsafe<{ link: string; name: string; length: number; putTime: string; contentType: string } | null>({
    type: ['object', 'null'],
    properties: { link: label, name: label, length: { type: 'number' }, putTime: label, contentType: label },
  }),
});

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

export const attachProblems = {
  used: problem(409, ['附件被 {count} 条记录引用', 'Used by {count} records.']),
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

export const attachWords = {
  grid: ['缩略图', 'Pictures'],
  rows: ['列表', 'List'],
  look: ['显示方式', 'Shown as'],
  open: ['预览', 'Preview'],
  uploaded: ['{name} 已上传', '{name} is here'],
  search: ['按名称查找', 'Find by name'],
  preview: ['预览 {name}', 'Preview {name}'],
  copy: ['复制链接', 'Copy link'],
  copyOf: ['复制 {name} 的链接', 'Copy the link of {name}'],
  copied: ['链接已复制', 'The link is copied'],
  copyFailed: ['浏览器不允许复制', 'The browser does not allow copying'],
  copiedForNow: ['链接已复制，10 分钟内有效', 'The link is copied and good for ten minutes'],
  remove: ['删除', 'Delete'],
  removeOf: ['删除 {name}', 'Delete {name}'],
  removeQuestion: ['删除 {name}？删除后不能恢复。', 'Delete {name}? It cannot be brought back.'],
  removeChosen: ['删除选中（{count}）', 'Delete chosen ({count})'],
  removeMany: ['删除选中的 {count} 个附件？删除后不能恢复。', 'Delete the {count} chosen attachments? They cannot be brought back.'],
  usedBy: ['以下记录正在引用，删除后其中的链接将失效：', 'These records refer to it, and their links will lead nowhere:'],
  cancel: ['取消', 'Cancel'],
  removed: ['已删除', 'Deleted'],
  rename: ['重命名', 'Rename'],
  renameOf: ['重命名 {name}', 'Rename {name}'],
  renamed: ['已重命名', 'Renamed'],
  keep: ['保留', 'Keep'],
  kept: ['已保留，不会被清理', 'It stays, whether or not a record refers to it'],
  release: ['取消保留', 'Let go'],
  released: ['已取消保留，没有记录引用时会被清理', 'It goes when no record refers to it'],
  help: [
    '此处上传的附件会一直保留；他处上传、取消保留且没有记录引用的文件，由清理任务定期删除。',
    'What is uploaded here stays. Files uploaded elsewhere, or let go of, are deleted by a job when no record has referred to them for long.',
  ],
  none: ['还没有附件', 'No attachments yet'],
  noneFound: ['没有符合条件的附件', 'No attachment fits'],
  choose: ['选择 {name}', 'Choose {name}'],
  total: ['共 {count} 个', '{count} in all'],
} as const satisfies Record<string, Words>;

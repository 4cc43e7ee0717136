import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ById, entity, get, Ids, list, NoContent, PageOf, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { Flag, Id, Integer, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';

const endpoint = '/api/blade-resource/oss/endpoint';
const label = Type.Unsafe<string>({ type: 'string' });
const attachPath = '/api/blade-resource/attach';
const permissions = codes('attach');

const Attach = entity(
  'attach',
  {
    id: Id(),
    originalName: Text({ title: ['附件原名', 'Name'], search: true, sort: true, width: 320 }),
    name: Text({ title: ['附件名称', 'File key'], list: false, form: false, copyable: true }),
    extension: Text({ title: ['附件扩展名', 'File extension'], search: true, width: 120 }),
    type: Text({ title: ['内容类型', 'Content type'], width: 180 }),
    attachSize: Integer({ title: ['附件大小', 'Size'], sort: true, width: 120, maximum: Number.MAX_SAFE_INTEGER }),
    isPublic: Flag({ title: ['公开', 'Public'], list: false }),
    storeName: Text({ title: ['存储', 'Storage'], width: 140 }),
    ownerName: Text({ title: ['上传人', 'Uploaded by'], search: true, width: 140 }),
    isKept: Flag({
      title: ['保留', 'Kept'],
      labels: [
        ['未保留', 'Not kept'],
        ['保留', 'Kept'],
      ],
      search: true,
      width: 90,
      help: ['保留的附件即使没有记录引用也不会被清理', 'Kept attachments are not cleaned up even if no record references them'],
    }),
  },
  { versioned: false },
);

const AttachRow = Type.Object({ ...Attach.row.properties, link: label, domainUrl: label });
export type AttachRow = Static<typeof AttachRow>;

const attachList = list(`${attachPath}/list`, Attach, { code: permissions.page }, ['附件列表', 'Attachments']);

/** Record that references a file. */
const AttachmentUse = Type.Object({ fileId: Id(), screen: Type.String(), record: Type.String(), recordId: Id() });
export type AttachmentUse = Static<typeof AttachmentUse>;

/** Files that users have uploaded. */
export const attach = {
  entity: Attach,
  menu: 'attach',
  list: { ...attachList, reply: PageOf(AttachRow) },
  detail: get(`${attachPath}/detail`, { title: ['附件详情', 'Attachment'], access: { code: permissions.page }, input: ById, reply: AttachRow }),
  /** Lists records that reference any of the files, at most twenty of each entity. `screen` is the title of the page that shows them. */
  uses: get(`${attachPath}/uses`, {
    title: ['附件引用', 'Attachment references'],
    access: { code: permissions.page },
    input: Ids,
    reply: Type.Array(AttachmentUse),
  }),
};

/** Deletes attachments. It is refused while records reference one of them, unless `evenUsed` is true. */
export const removeAttachments = post(`${attachPath}/remove`, {
  title: ['删除附件', 'Delete attachments'],
  access: { code: permissions.delete },
  effect: 'removed',
  input: Type.Object({ ids: Ids.properties.ids, evenUsed: Type.Optional(Type.Boolean()) }),
  reply: NoContent,
});

/** Renames an attachment; its content and links stay the same. */
export const renameAttachment = post(`${attachPath}/submit`, {
  title: ['修改附件名称', 'Rename an attachment'],
  access: { code: permissions.edit },
  effect: 'updated',
  input: Type.Object({ id: Id(), originalName: Text({ title: ['附件原名', 'Name'], maxLength: 255 }) }),
  reply: AttachRow,
});

/** Protects attachments from the cleanup of unreferenced files; uploads on the attachment page are protected too. */
export const keepAttachments = post(`${attachPath}/keep`, {
  title: ['保留附件', 'Keep attachments'],
  access: { code: permissions.add },
  input: Ids,
  reply: NoContent,
});

/** Ends the protection: the cleanup deletes the files once no record has referenced them for some time. */
export const releaseAttachments = post(`${attachPath}/release`, {
  title: ['取消保留附件', 'Stop keeping attachments'],
  access: { code: permissions.edit },
  input: Ids,
  reply: NoContent,
});

const ByFileName = Type.Object({ fileName: Type.Optional(Type.String({ maxLength: 64 })) });

/** Returns a link that is valid for ten minutes, or permanently for a public file; null when no file has this name. */
export const fileLink = get(`${endpoint}/file-link`, {
  title: ['文件链接', 'File link'],
  access: { code: permissions.page },
  input: ByFileName,
  reply: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});

/** Returns the file's path on the server; the path alone opens only public files. */
export const filePath = get(`${endpoint}/file-path`, {
  title: ['文件路径', 'File path'],
  access: { code: permissions.page },
  input: ByFileName,
  reply: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});

/** Returns the properties of a file that BladeX-compatible clients read. */
export const statFile = get(`${endpoint}/stat-file`, {
  title: ['文件信息', 'File details'],
  access: { code: permissions.page },
  input: ByFileName,
  reply: Type.Unsafe<{ link: string; name: string; length: number; putTime: string; contentType: string } | null>({
    type: ['object', 'null'],
    properties: { link: label, name: label, length: { type: 'number' }, putTime: label, contentType: label },
  }),
});

export const attachProblems = {
  used: problem(409, ['附件被 {count} 条记录引用', 'This attachment is referenced by {count} records.']),
};

export const attachMessages = {
  noFiles: ['暂无附件', 'No files yet'],
  noFilesHint: ['在各页面上传的文件显示在这里，也可以直接上传。', 'Files uploaded on any page appear here; they can be uploaded here too.'],
  grid: ['缩略图', 'Thumbnails'],
  rows: ['列表', 'List'],
  layout: ['显示方式', 'View'],
  open: ['预览', 'Preview'],
  uploaded: ['{name} 已上传', '{name} uploaded'],
  search: ['按名称查找', 'Search by name'],
  preview: ['预览 {name}', 'Preview {name}'],
  copy: ['复制链接', 'Copy link'],
  copyOf: ['复制 {name} 的链接', 'Copy link of {name}'],
  copied: ['链接已复制', 'Link copied'],
  copyFailed: ['复制失败，浏览器不允许复制', 'Could not copy. The browser does not allow it.'],
  copiedTemporary: ['链接已复制，10 分钟内有效', 'Link copied. It is valid for 10 minutes.'],
  remove: ['删除', 'Delete'],
  removeOf: ['删除 {name}', 'Delete {name}'],
  removeQuestion: ['确定删除「{name}」？删除后无法恢复。', 'Delete “{name}”? This cannot be undone.'],
  removeSelected: ['删除选中（{count}）', 'Delete selected ({count})'],
  removeMany: ['确定删除选中的 {count} 个附件？删除后无法恢复。', 'Delete the {count} selected attachments? This cannot be undone.'],
  usedBy: ['以下记录正在引用，删除后其中的链接将失效：', 'Referenced by these records. Their links will stop working:'],
  cancel: ['取消', 'Cancel'],
  removed: ['已删除', 'Deleted'],
  rename: ['重命名', 'Rename'],
  renameOf: ['重命名 {name}', 'Rename {name}'],
  renamed: ['已重命名', 'Renamed'],
  keep: ['保留', 'Keep'],
  kept: ['已保留，不会被清理', 'Kept. It will not be cleaned up.'],
  release: ['取消保留', 'Stop keeping'],
  released: ['已取消保留，没有记录引用时会被清理', 'No longer kept. It is cleaned up when no record references it.'],
  help: [
    '此处上传的附件会一直保留；他处上传、取消保留且没有记录引用的文件，由清理作业定期删除。',
    'Attachments uploaded here are kept. Other files that no record references are deleted regularly by the cleanup job.',
  ],
  none: ['还没有附件', 'No attachments yet'],
  loadFailed: ['附件加载失败', 'Could not load attachments.'],
  noResults: ['没有符合条件的附件', 'No attachments found'],
  select: ['选择 {name}', 'Select {name}'],
  total: ['共 {count} 个', '{count} in total'],
} as const satisfies Record<string, LocalizedText>;

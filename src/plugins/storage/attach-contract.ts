import { Boolean as Bool, Array as List, Optional as Omissible, String as Plain, Object as Shape, type Static, Unsafe } from 'typebox';
import { Done, entity, get, Ids, list, PageOf, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { Flag, Id, Text, Whole } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { Words } from '#shared/text';

const endpoint = '/api/blade-resource/oss/endpoint';
const label = Unsafe<string>({ type: 'string' });
const OfOne = Shape({ id: Id() });
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

export const attachProblems = {
  used: problem(409, ['附件被 {count} 条记录引用', 'Used by {count} records.']),
};

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

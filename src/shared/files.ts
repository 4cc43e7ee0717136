import { Boolean as Flag, Array as List, Optional as Omissible, String as Plain, Object as Shape, type Static, Unsafe } from 'typebox';
import { Done, get, post } from './contract.ts';
import { problem } from './errors.ts';
import { Id } from './fields.ts';
import { FileLink } from './transfer-schemas.ts';

/** A file as whoever uploaded it is told. `name` is the server's own, `originalName` the user's; `link` of a private file holds for some minutes. */
export const FileReply = Shape({
  id: Id(),
  /** The same, as the family calls it. */
  attachId: Id(),
  name: Plain(),
  originalName: Plain(),
  link: Plain(),
  domain: Plain(),
  /** Bytes. */
  size: Unsafe<number>({ type: 'integer' }),
  /** By its content, whatever the user's name for it ends in. */
  type: Plain(),
  /** Without the dot; '' where the content is of no known kind. */
  ext: Plain(),
});
export type FileReplyRow = Static<typeof FileReply>;

/** Where the family's clients ask for files. */
export const family = '/api/blade-resource/oss/endpoint';

/** The content of a file. */
const Content = Unsafe<never>({ type: 'string', format: 'binary' });

const Key = Plain({ pattern: '^[0-9a-f]{32}$' });

const Named = Shape({
  id: Omissible(Id()),
  name: Omissible(Plain({ maxLength: 64 })),
  /** The server's name, as the family's clients call it. */
  fileName: Omissible(Plain({ maxLength: 64 })),
  url: Omissible(Plain({ maxLength: 2000 })),
});

const whole = (minimum: number, maximum: number) => Unsafe<number>({ type: 'integer', minimum, maximum });
const OwnId = Shape({ id: Id() });

/** How far an upload in parts has come: `arrived` are the numbers, from 1, that need not be sent again. */
export const PartedReply = Shape({
  id: Id(),
  /** Bytes of every part but the last. */
  partSize: Unsafe<number>({ type: 'integer' }),
  parts: Unsafe<number>({ type: 'integer' }),
  arrived: List(Unsafe<number>({ type: 'integer' })),
});
export type PartedReplyRow = Static<typeof PartedReply>;

/** A signed address: the fields go before the file. */
const SignedReply = Shape({
  id: Id(),
  uploadUrl: Plain(),
  method: Plain(),
  key: Plain(),
  fields: Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  link: Plain(),
  /** Seconds since 1970. */
  expire: Unsafe<number>({ type: 'integer' }),
});

const Expires = Plain({ pattern: '^\\d{1,12}$' });
const Signature = Plain({ maxLength: 64 });

/** Files of users: kept under names the server makes, told apart by content, given out as attachments. */
export const files = {
  /** With `isPublic` an image may be fetched by whoever knows its link, for ever. */
  upload: post('/api/file/uploadFile', {
    title: ['上传文件', 'Upload a file'],
    who: 'signedIn',
    upload: true,
    input: Shape({ isPublic: Omissible(Flag()) }),
    reply: FileReply,
  }),
  /** The same under the name given, whatever the file is called where it comes from. */
  uploadByName: post(`${family}/put-file-by-name`, {
    title: ['按名称上传文件', 'Upload a file by name'],
    who: 'signedIn',
    upload: true,
    input: Shape({ fileName: Plain({ minLength: 1, maxLength: 500 }), isPublic: Omissible(Flag()) }),
    reply: FileReply,
  }),
  /** By id, by the server's name or by link; one's own, or any of the tenant for its administrator. */
  remove: post('/api/file/deleteFile', { title: ['删除文件', 'Delete a file'], who: 'signedIn', input: Named, reply: Done }),
  /** By the server's names, all of them or none. */
  removeMany: post(`${family}/remove-files`, {
    title: ['批量删除文件', 'Delete files'],
    who: 'signedIn',
    input: Shape({ fileNames: List(Key, { minItems: 1, maxItems: 200 }) }),
    reply: Done,
  }),
  /** A fresh link to a file of one's own. */
  link: get('/api/file/link', { title: ['文件链接', 'Link to a file'], who: 'signedIn', input: Shape({ id: Id() }), reply: FileLink }),
  /** What every link leads to. The signature is bound to the file and to the moment it expires. */
  blob: get('/api/file/blob', {
    title: ['下载文件', 'Download a file'],
    who: 'open',
    download: true,
    input: Shape({
      key: Key,
      expires: Omissible(Expires),
      signature: Omissible(Signature),
      /** `small`: a small picture instead of a large one. */
      view: Omissible(Unsafe<'small'>({ type: 'string', enum: ['small'] })),
    }),
    reply: Content,
  }),
  /** A signed address for one file of this type and at most this size; whoever has it needs no token. */
  signature: get('/api/file/fileSignature', {
    title: ['文件直传签名', 'Sign a direct upload'],
    who: 'signedIn',
    input: Shape({
      fileName: Plain({ minLength: 1, maxLength: 500 }),
      contentType: Omissible(Plain({ pattern: '^[\\w.+-]{1,60}/[\\w.+-]{1,60}$' })),
      /** Bytes. */
      size: Omissible(whole(1, 100 * 1024 * 1024)),
      isPublic: Omissible(Flag()),
    }),
    reply: SignedReply,
  }),
  /** Where signed uploads go that this server itself keeps. */
  direct: post('/api/file/direct', {
    title: ['文件直传', 'Direct upload'],
    who: 'open',
    upload: true,
    input: Shape({ key: Key, expires: Expires, signature: Signature }),
    reply: FileReply,
  }),
  /** Begins to send a large file in parts, or goes on with the same file where it was broken off. */
  beginParts: post('/api/file/parts/begin', {
    title: ['开始分片上传', 'Begin an upload in parts'],
    who: 'signedIn',
    input: Shape({
      fileName: Plain({ minLength: 1, maxLength: 500 }),
      size: whole(1, 1024 ** 4),
      /** Milliseconds since 1970. */
      lastModified: whole(0, Number.MAX_SAFE_INTEGER),
      isPublic: Omissible(Flag()),
    }),
    reply: PartedReply,
  }),
  sendPart: post('/api/file/parts/send', {
    title: ['上传分片', 'Send a part'],
    who: 'signedIn',
    upload: true,
    input: Shape({ id: Id(), number: whole(1, 10_000) }),
    reply: PartedReply,
  }),
  parts: get('/api/file/parts/state', { title: ['分片上传进度', 'Parts that have arrived'], who: 'signedIn', input: OwnId, reply: PartedReply }),
  completeParts: post('/api/file/parts/complete', { title: ['完成分片上传', 'Complete an upload in parts'], who: 'signedIn', input: OwnId, reply: FileReply }),
};

/** Why a file is not taken or given. */
export const fileProblems = {
  expired: problem(403, ['链接已失效，请重新获取', 'This link has expired. Ask for a new one.']),
  notReferable: problem(400, ['文件链接已失效，请重新上传', 'The link to this file has expired. Upload the file again.']),
  tooLarge: problem(413, ['文件不能超过 {megabytes} MB', 'Files can be up to {megabytes} MB.']),
  empty: problem(400, ['文件是空的', 'The file is empty.']),
  otherType: problem(400, ['文件内容是 {found}，与声明的 {said} 不符', 'The content is {found}, not {said} as was said.']),
  largerThanSaid: problem(413, ['文件超过签名允许的大小', 'The file is larger than was signed for.']),
  wrongPart: problem(400, ['分片 {number} 的大小不符', 'Part {number} does not have the size of its place.']),
  partsMissing: problem(409, ['还有分片未上传', 'Some parts have not arrived yet.']),
  quota: problem(409, ['存储空间已用完（上限 {megabytes} MB）', 'The storage is used up (up to {megabytes} MB).']),
  storeFull: problem(500, ['服务器存储空间不足，请联系管理员', 'The store is full. Tell an administrator.']),
  storeAway: problem(503, ['文件存储暂不可用，请稍后再试', 'The file store does not answer. Try again later.']),
  publicImagesOnly: problem(400, ['公开文件只能是图片', 'Only images can be public.']),
};

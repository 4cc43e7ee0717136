import type { Static } from 'typebox';
import * as Type from 'typebox';
import { sort } from '#shared/common-fields';
import { BatchIds, BatchReply, entity, get, Ids, list, NoContent, NoInput, post, type RowOf, TreeNode, TreeOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, type Field, type FieldTraits, Id, Image, Integer, Nullable, Parent, Reference, Select, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';
import { departmentResourceMenu, resourceAuditMenu } from './menus.ts';

const path = '/api/things-resource/depart';

/** Types of resource. */
export const resourceTypes = { folder: 1, file: 2 } as const;
/** Audit states of a file; folders are not audited. */
export const auditStates = { pending: 0, approved: 1, rejected: 2 } as const;
type AuditState = (typeof auditStates)[keyof typeof auditStates];
/** Tests whether a file can change its state: waiting files can be approved or rejected, approved ones rejected, and decided ones can wait for another decision. */
export const canTransition = (to: AuditState, from: number): boolean =>
  to === auditStates.pending || from === auditStates.pending || (from === auditStates.approved && to === auditStates.rejected);

const fileProperty = { form: false, list: false } as const;
const pixels = { ...fileProperty, minimum: 0, maximum: 100_000 };

/** Folder of a department, or file in it. File properties are read from the file itself; sizes are in bytes, lengths in seconds. */
export const DepartResource = entity(
  'depart_resource',
  {
    id: Id(),
    parentId: Parent({ title: ['所在文件夹', 'Folder'], list: false }),
    /** Alias of `parentId` in the BladeX-compatible API. */
    pid: Id({ title: ['上级编号', 'Parent'], search: true }),
    type: Select({
      title: ['类型', 'Type'],
      list: false,
      search: true,
      options: [
        [resourceTypes.folder, ['文件夹', 'Folder']],
        [resourceTypes.file, ['文件', 'File']],
      ],
    }),
    name: Text({ title: ['名称', 'Name'], maxLength: 128, search: true, sort: true, width: 260 }),
    url: Nullable(Image({ title: ['文件', 'File'], list: false, accept: '*/*', maxSize: 1024 ** 4 })),
    cover: Nullable(Image({ title: ['封面', 'Cover'], list: false })),
    key: Nullable(Text({ title: ['文件编号', 'File key'], maxLength: 64, ...fileProperty })),
    ext: Nullable(Text({ title: ['扩展名', 'File extension'], maxLength: 32, form: false, search: true, width: 90 })),
    mime: Nullable(Text({ title: ['内容类型', 'Content type'], maxLength: 128, form: false, search: true, width: 160 })),
    size: Integer({ title: ['大小', 'Size'], form: false, sort: true, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, width: 110 }),
    duration: Nullable(Integer({ title: ['时长', 'Duration'], unit: ['秒', 's'], list: false, minimum: 0, maximum: 1_000_000 })),
    width: Nullable(Integer({ title: ['宽', 'Width'], ...pixels, form: true })),
    height: Nullable(Integer({ title: ['高', 'Height'], ...pixels, form: true })),
    departId: Nullable(Id({ title: ['所属部门', 'Department'] })),
    userId: Id({ title: ['上传人编号', 'Uploader ID'] }),
    userName: Text({ title: ['上传人', 'Uploaded by'], maxLength: 64, form: false, search: true, width: 130 }),
    status: Select({
      title: ['审核状态', 'Review status'],
      form: false,
      search: true,
      options: [
        [auditStates.pending, ['待审核', 'Pending review']],
        [auditStates.approved, ['通过', 'Approved']],
        [auditStates.rejected, ['驳回', 'Rejected']],
      ],
      tones: { 0: 'warning', 1: 'good', 2: 'danger' },
    }),
    auditUser: Nullable(Id({ title: ['审核人编号', 'Reviewer ID'] })),
    auditTime: Nullable(DateTime({ title: ['审核时间', 'Reviewed'], form: false, list: false })),
    reason: Nullable(Text({ title: ['驳回原因', 'Rejection reason'], list: false })),
    remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
    sort,
  },
  { order: ['type', 'sort', 'name'], archivable: false, ownership: { user: 'userId', department: 'departId' } },
);
export type ResourceRow = RowOf<typeof DepartResource>;

const { name, url, cover, duration, width, height, remark } = DepartResource.fields;
const version = Type.Optional(DepartResource.fields.version);
const parentFields = { id: Type.Optional(Id()), version, pid: Type.Optional(Id()) };
const metadataFields = { remark: Type.Optional(remark), sort: Type.Optional(DepartResource.fields.sort) };
const FolderForm = Type.Object({ ...parentFields, name: Type.Optional(name), ...metadataFields }, { additionalProperties: false });
const FileForm = Type.Object(
  { ...parentFields, name: Type.Optional(name), url, cover, duration, width, height, ...metadataFields },
  { additionalProperties: false },
);
const Form = Type.Object({ ...FileForm.properties, type: Type.Optional(DepartResource.fields.type) }, { additionalProperties: false });
/** Form of a folder or file; an edit omits unchanged fields. */
export type ResourceForm = Static<typeof Form>;

const permitted = codes(departmentResourceMenu.code);
const access = { add: permitted.add, edit: permitted.edit };
const IntegerSchema = Type.Unsafe<number>({ type: 'integer' });

const { ext, mime } = DepartResource.fields;
const File = Type.Object({ id: Id(), name, url, cover, ext, mime, size: IntegerSchema });
export type ResourceSearchResult = Static<typeof File>;

const Material = entity('depart_resource', { id: Id(), name }, { archivable: false });

/** Resources of departments. Users can access those of their departments and their descendants, administrators all. */
export const resource = {
  entity: DepartResource,
  menu: departmentResourceMenu.code,
  /** Lists folders and approved files of one level. */
  list: list(`${path}/getList`, DepartResource, { code: permitted.page }, ['部门资源', 'Department resources']),
  /** Lists the caller's uploads in any audit state. */
  mine: list(`${path}/getMyList`, DepartResource, { code: permitted.page }, ['我的资源', 'My resources']),
  counts: get(`${path}/getResourceNumber`, {
    title: ['资源数量', 'Resource counts'],
    access: { code: permitted.page },
    input: Type.Object({ pid: Type.Optional(Id()) }),
    reply: Type.Object({ folders: IntegerSchema, files: IntegerSchema, total: IntegerSchema }),
  }),
  folders: get(`${path}/folders`, { title: ['文件夹', 'Folders'], access: { code: permitted.page }, input: NoInput, reply: TreeOf(TreeNode) }),
  submitFolder: post(`${path}/submitCatiry`, { title: ['新建或修改文件夹', 'Add or update a folder'], access, input: FolderForm, reply: DepartResource.row }),
  submitFile: post(`${path}/submitFile`, { title: ['登记文件', 'Add or replace a file'], access, input: FileForm, reply: DepartResource.row }),
  submit: post(`${path}/submit`, { title: ['新增或修改', 'Add or update'], access, input: Form, reply: DepartResource.row }),
  rename: post(`${path}/updateName`, {
    title: ['重命名', 'Rename'],
    access: { code: permitted.edit },
    effect: 'updated',
    input: Type.Object({ id: Id(), version, name }),
    reply: NoContent,
  }),
  move: post(`${path}/move`, {
    title: ['移动', 'Move'],
    access: { code: permitted.edit },
    input: Type.Object({ ...Ids.properties, pid: Id() }),
    reply: NoContent,
  }),
  removeOne: post(`${path}/remove`, {
    title: ['删除', 'Delete'],
    access: { code: permitted.delete },
    effect: 'removed',
    input: Type.Object({ id: Type.Optional(Id()), ids: Type.Optional(Ids.properties.ids) }),
    reply: NoContent,
  }),
};

const auditAccess = { code: resourceAuditMenu.code };

/** Files that wait for a decision or were decided. */
export const resourceAudit = {
  entity: DepartResource,
  menu: resourceAuditMenu.code,
  list: list(`${path}/getAduitList`, DepartResource, auditAccess, ['资源审核', 'Resource review']),
  /** Decides one file by `id` or several by `ids`, all or none. Without a status they wait for a decision again. */
  decide: post(`${path}/updateStatusById`, {
    title: ['审核资源', 'Review resources'],
    access: auditAccess,
    input: Type.Object({
      ...BatchIds.properties,
      status: Type.Unsafe<AuditState>({
        type: 'integer',
        enum: Object.values(auditStates),
        default: auditStates.pending,
        description: '0 pending (the default), 1 approved, 2 rejected with a `reason`.',
      }),
      reason: Type.Optional(DepartResource.fields.reason),
    }),
    reply: BatchReply,
  }),
};

/** Approved files, for users who create or work on tasks. */
export const material = {
  entity: Material,
  pick: list('/api/things-resource/material', Material, 'signedIn', ['可选素材', 'Material options']),
  find: get('/api/things-resource/findResourceByIds', {
    title: ['按编号查资源', 'Resources by ID'],
    access: 'signedIn',
    input: Type.Object({ ids: Type.Optional(Ids.properties.ids) }),
    reply: Type.Array(File),
  }),
};

/** Field for the id of an approved file. */
export const ResourceId = (traits: Omit<Partial<FieldTraits>, 'title' | 'widget'> & { readonly title: LocalizedText }): Field<string> =>
  Reference({ onDelete: 'refuse', ...traits, from: { call: material.pick, paged: true, search: 'name' } });

export const resourceProblems = {
  folderNotFound: problem(400, ['文件夹不存在', 'Folder not found.']),
  notAFolder: problem(400, ['只能放入文件夹', 'Items can only be placed in a folder.']),
  fileMissing: problem(400, ['请上传文件', 'Upload a file.']),
  notEmpty: problem(409, ['文件夹不是空的，请先移走或删除其中的内容', 'The folder is not empty. Move or delete what is in it first.']),
  nameTaken: problem(409, ['该文件夹下已有同名文件夹', 'A folder with this name already exists here.']),
  otherDepartment: problem(409, ['不能移动到其他部门的文件夹', 'Items cannot be moved to a folder of another department.']),
  reasonMissing: problem(400, ['请输入驳回原因', 'Enter the rejection reason.']),
  ownFile: problem(403, ['不能审核自己上传的资源', 'You cannot review files you uploaded.']),
  alreadyReviewed: problem(409, ['「{name}」已审核，请刷新', '“{name}” has already been reviewed. Refresh the page.']),
};

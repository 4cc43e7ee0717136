import type { Static } from 'typebox';
import * as Type from 'typebox';
import { AdvertiserId, CategoryId, CityId, PlatformId, TaskGradeId } from '#plugins/base-data/contract';
import { ResourceId } from '#plugins/resource/contract';
import {
  BatchIds,
  BatchReply,
  ById,
  crud,
  entity,
  event,
  filter,
  get,
  Ids,
  list,
  NoContent,
  NoInput,
  post,
  type RowOf,
  withBatchResult,
  withoutCalls,
} from '#shared/contract';
import { Attachment, BooleanInt, DateOnly, DateTime, Id, Image, Integer, LongText, Money, MultiSelect, Nullable, RichText, Select, Text } from '#shared/fields';
import { auditMenu, recordMenu, taskMenu } from './menus.ts';
import { Counts, Duplicate, Figure, Step } from './reply-contract.ts';
import { taskRules } from './rule-contract.ts';
import { payStates, reviewStates, taskStates } from './state-contract.ts';

export * from './parameter-contract.ts';
export * from './problem-contract.ts';
export * from './publish-contract.ts';
export type { AuditCounts, AuditorFigure, DuplicateProof, TimelineEntry, TimelineKind } from './reply-contract.ts';
export * from './state-contract.ts';

const path = '/api/things-task/task';
const claimPath = '/api/things-task/claim';

const detailsGroup = ['任务内容', 'Task details'] as const;
const targetingGroup = ['投放范围', 'Targeting'] as const;
const priceGroup = ['价格与数量', 'Price and quantity'] as const;
const { draft: drafted, waiting, published, takenDown, finished } = taskStates;
const count = { minimum: 0, maximum: 1_000_000 };
const progress = { title: ['进度', 'Progress'], total: 'quantity', parts: ['submitted', 'passed'] } as const;

/** Fields of a task that claimers see in the list of offers. */
const offerFields = {
  id: Id(),
  title: Text({ title: ['任务标题', 'Title'], maxLength: 128, search: true, width: 240, group: detailsGroup }),
  platformId: PlatformId({ title: ['投放平台', 'Platform'], search: true, group: targetingGroup }),
  categoryId: CategoryId({ title: ['任务分类', 'Category'], search: true, group: detailsGroup }),
  gradeId: TaskGradeId({ title: ['任务等级', 'Grade'], search: true, list: false, group: priceGroup }),
  cityIds: Nullable(
    MultiSelect(
      CityId({ title: ['投放城市', 'Cities'], search: true, list: false, group: targetingGroup, help: ['留空：全部城市', 'Leave empty for all cities'] }),
    ),
  ),
  cover: Nullable(Image({ title: ['封面', 'Cover'], list: false, group: detailsGroup })),
  unitPrice: Money({ title: ['单价', 'Unit price'], minimum: 1, maximum: 1_000_000, sort: true, total: 'average', group: priceGroup }),
  quantity: Integer({ title: ['数量', 'Quantity'], minimum: 1, maximum: 1_000_000, total: true, group: priceGroup }),
  perUserLimit: Integer({
    ...count,
    title: ['每人限领', 'Max per person'],
    default: 1,
    list: false,
    group: priceGroup,
    help: ['0 表示不限', '0 for no limit'],
  }),
  startTime: Nullable(DateTime({ title: ['开始时间', 'Start'], list: false, group: targetingGroup })),
  endTime: Nullable(DateTime({ title: ['结束时间', 'End'], search: true, sort: true, group: targetingGroup, endOfDay: true, notPast: true })),
  claimed: Integer({ ...count, title: ['已领', 'Claimed'], form: false, progress }),
  status: Select({
    title: ['状态', 'Status'],
    form: false,
    search: true,
    sort: true,
    width: 128,
    group: detailsGroup,
    options: [
      [drafted, ['草稿', 'Draft']],
      [waiting, ['待发布', 'Ready to publish']],
      [published, ['已发布', 'Published']],
      [takenDown, ['已下架', 'Taken down']],
      [finished, ['已完成', 'Completed']],
    ],
    tones: { 0: 'neutral', 1: 'warning', 2: 'good', 3: 'danger', 4: 'brand' },
  }),
};

const taskFields = {
  ...offerFields,
  advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true, group: detailsGroup }),
  advertiserName: Nullable(Text({ title: ['广告主名称', 'Advertiser name'], maxLength: 128, form: false, list: false })),
  requirement: LongText({ title: ['任务要求', 'Requirements'], maxLength: 4000, list: false, group: detailsGroup }),
  steps: Nullable(LongText({ title: ['操作步骤', 'Steps'], maxLength: 4000, list: false, group: detailsGroup })),
  content: Nullable(RichText({ title: ['详细说明', 'Details'], group: detailsGroup })),
  resourceIds: Nullable(
    MultiSelect(ResourceId({ title: ['素材', 'Material'], list: false, group: detailsGroup, help: ['可选已通过审核的部门资源', 'Approved department files'] })),
  ),
  budget: Money({
    title: ['预算', 'Budget'],
    form: false,
    group: priceGroup,
    computedFrom: ['unitPrice', 'quantity'],
    help: ['单价 × 数量', 'Unit price × quantity'],
  }),
  submitted: Integer({ ...count, title: ['已交', 'Submitted'], form: false }),
  passed: Integer({ ...count, title: ['已通过', 'Approved'], form: false }),
  departId: Nullable(Id({ title: ['所属部门', 'Department'] })),
  companyId: Nullable(Id({ title: ['所属公司', 'Company'] })),
  remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
  draft: BooleanInt({
    title: ['存为草稿', 'Save as draft'],
    list: false,
    help: ['草稿要提交后才能发布', 'A draft must be submitted before it can be published'],
  }),
};

/** Task of an advertiser, with its quantity and pay. `claimed` counts reserved places, `submitted` those with proof, `passed` those approved. */
export const Task = entity('task', taskFields, { rules: taskRules, archivable: true });
export type TaskRow = RowOf<typeof Task>;

/** Filters the form of a task before it is saved, with `id` when it is edited. */
export const TaskSaving = filter<Partial<TaskRow>>('task:saving');
/** Filters tasks before they are published. */
export const TasksPublishing = filter<readonly TaskRow[]>('task:publishing');

const taskCalls = withoutCalls(crud(path, Task, { menu: taskMenu.code }), 'list', 'import');

export const task = {
  ...taskCalls,
  list: list(`${path}/getList`, Task, { code: taskMenu.code }, ['任务列表', 'Tasks']),
  publish: post(`${path}/publish`, { title: ['发布', 'Publish'], access: { code: 'tasks_publish' }, input: BatchIds, reply: BatchReply }),
  takeDown: post(`${path}/xiajia`, { title: ['下架', 'Take down'], access: { code: 'tasks_xiajia' }, input: BatchIds, reply: BatchReply }),
  /** Creates a draft of one's own with the values of the task. */
  copy: post(`${path}/copy`, { title: ['复制', 'Copy'], access: { code: 'tasks_add' }, input: ById, reply: Task.row }),
  timeline: get(`${path}/timeline`, { title: ['任务动态', 'Timeline'], access: { code: taskMenu.code }, input: ById, reply: Type.Array(Step) }),
};

const readOnlyText = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });

/** Fields of a submission that its claimer sees. Amounts in 分. */
const claimFields = {
  id: Id(),
  taskId: Id({ title: ['任务编号', 'Task ID'], search: true }),
  taskTitle: Text({ title: ['任务', 'Task'], maxLength: 128, form: false, search: true, width: 220 }),
  platformAccount: Nullable(Text({ title: ['平台账号', 'Platform account'], maxLength: 128, search: true, personal: 'other' })),
  link: Nullable(Text({ title: ['作品链接', 'Link'], maxLength: 1000, list: false })),
  images: Nullable(
    Attachment({ title: ['截图', 'Screenshots'], max: 9, accept: 'image/png,image/jpeg,image/gif,image/webp', maxSize: 10 * 1024 * 1024, list: false }),
  ),
  content: Nullable(LongText({ title: ['说明', 'Note'], maxLength: 2000, list: false })),
  deadline: DateTime({ title: ['提交期限', 'Due'], form: false, list: false }),
  submitTime: Nullable(DateTime({ title: ['提交时间', 'Submitted'], form: false, search: true, sort: true })),
  auditStatus: Select({
    title: ['审核状态', 'Review status'],
    form: false,
    search: true,
    options: [
      [reviewStates.pending, ['待审核', 'Pending review']],
      [reviewStates.approved, ['通过', 'Approved']],
      [reviewStates.rejected, ['驳回', 'Rejected']],
      [reviewStates.inProgress, ['进行中', 'In progress']],
      [reviewStates.expired, ['已失效', 'Expired']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'danger', 3: 'brand', 4: 'neutral' },
  }),
  auditTime: Nullable(DateTime({ title: ['审核时间', 'Reviewed'], form: false, search: true, sort: true })),
  reason: Nullable(Text({ title: ['驳回原因', 'Rejection reason'], form: false })),
  amount: Money({ title: ['金额', 'Amount'], form: false }),
  payStatus: Select({
    title: ['付款', 'Payment'],
    form: false,
    search: true,
    options: [
      [payStates.unpaid, ['未付', 'Unpaid']],
      [payStates.processing, ['处理中', 'Processing']],
      [payStates.paid, ['已付', 'Paid']],
      [payStates.failed, ['失败', 'Failed']],
    ],
    tones: { 0: 'neutral', 1: 'warning', 2: 'good', 3: 'danger' },
  }),
  payTime: Nullable(DateTime({ title: ['付款时间', 'Paid'], form: false, list: false })),
};

/** Place in a task that a user has claimed, from the claim to the payment. */
export const Submission = entity(
  'task_submission',
  {
    ...claimFields,
    advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], form: false, search: true, onDelete: 'keep', isCopied: true }),
    userId: Id({ title: ['用户编号', 'User ID'], search: true }),
    nickName: Text({ title: ['昵称', 'Nickname'], maxLength: 64, form: false, personal: 'name' }),
    phone: Nullable(Text({ title: ['手机号', 'Phone'], maxLength: 32, form: false, personal: 'phone' })),
    openid: Nullable(Text({ title: ['微信标识', 'WeChat ID'], form: false, list: false, personal: 'other' })),
    auditUser: Nullable(Id({ title: ['审核人编号', 'Reviewer ID'], search: true })),
    auditorName: Nullable(readOnlyText(['审核人', 'Reviewed by'])),
    payNo: Nullable(Text({ title: ['付款单号', 'Payment no.'], maxLength: 64, form: false, list: false, copyable: true })),
    payError: Nullable(Text({ title: ['付款失败原因', 'Payment error'], form: false, list: false })),
  },
  {
    belongsTo: { taskId: { entity: Task } },
    ownership: { user: 'taskId.createUser', department: 'taskId.createDept' },
    personal: { person: 'userId' },
  },
);
export type SubmissionRow = RowOf<typeof Submission>;

const OfTask = Type.Object({ taskId: Type.Optional(Id()) });
const IntegerSchema = Type.Unsafe<number>({ type: 'integer' });
const text = Type.Unsafe<string>({ type: 'string' });

const { requirement, steps } = Task.fields;
const Item = Type.Object({ ...Submission.row.properties, requirement, steps, details: Task.fields.content, leaseUntil: text, twins: Type.Array(Duplicate) });
/** Proof to be audited, with the requirements of its task. */
export type AuditItem = Static<typeof Item>;

const auditAccess = { code: auditMenu.code };
const size = Integer({ title: ['条数', 'Size'], minimum: 1, maximum: 50, default: 10 });
const Decision = Type.Object({
  id: Type.Optional(Id()),
  ids: Type.Optional(Type.Array(Id(), { maxItems: 200 })),
  partial: BatchIds.properties.partial,
  status: Type.Unsafe<1 | 2>({ type: 'integer', enum: [1, 2] }),
  reason: Type.Optional(Nullable(Text({ title: ['驳回原因', 'Rejection reason'] }))),
});

/** Seconds in which an auditor can undo a decision; payment starts after them. */
export const undoSeconds = 60;

/** Calls of the audit. A proof leased by one auditor is not offered to others until it is decided, released or its lease expires. */
export const audit = {
  pending: list(`${path}/getAuditList`, Submission, auditAccess, ['待审核', 'Pending review']),
  records: list(`${path}/getRecordList`, Submission, { code: recordMenu.code }, ['审核记录', 'Review records']),
  decide: post(`${path}/doAudit`, {
    title: ['审核', 'Review'],
    access: auditAccess,
    input: Decision,
    reply: withBatchResult(Type.Object({ count: IntegerSchema })),
  }),
  undo: post(`${path}/audit/undo`, { title: ['撤销审核', 'Undo review'], access: auditAccess, input: Ids, reply: NoContent }),
  /** Leases the oldest free proofs; those the auditor has leased already come first. */
  lease: post(`${path}/audit/take`, {
    title: ['领取待审', 'Claim for review'],
    access: auditAccess,
    input: Type.Object({
      ...OfTask.properties,
      size,
      except: Type.Optional(Type.Array(Id(), { maxItems: 200 })),
    }),
    reply: Type.Array(Item),
  }),
  /** Returns the proofs that `lease` would return, and leases none of them: what a role preview shows. */
  peek: get(`${path}/audit/peek`, { title: ['查看待审', 'Preview the queue'], access: auditAccess, input: Type.Object({ size }), reply: Type.Array(Item) }),
  release: post(`${path}/audit/release`, { title: ['放回队列', 'Release to queue'], access: auditAccess, input: Ids, reply: NoContent }),
  counts: get(`${path}/audit/counts`, { title: ['审核进度', 'Review progress'], access: auditAccess, input: NoInput, reply: Counts }),
  figures: get(`${path}/audit/figures`, {
    title: ['审核统计', 'Review statistics'],
    access: { code: recordMenu.code },
    input: Type.Object({ from: Type.Optional(DateOnly({ title: ['起', 'From'] })), to: Type.Optional(DateOnly({ title: ['止', 'To'] })) }),
    reply: Type.Array(Figure),
  }),
};

/** Audit records, for the generic screen. */
export const auditRecords = { entity: Submission, menu: recordMenu.code, list: audit.records };

/** The queue has changed by a submission, lease, decision or release; consoles that show it reload it. */
export const QueueChanged = event<Record<string, never>>('task:queue-changed');

const Offer = entity('task', offerFields);
const Claim = entity('task_submission', claimFields);
const { platformAccount, link, images, content } = Submission.fields;
const Proof = Type.Object({ id: Id(), platformAccount, link, images, content });
export type ProofInput = Static<typeof Proof>;

/** Declares the calls of the mini-app: every signed-in user reads offers and their own claims; writing requires a client of the mini-app. */
export const claiming = {
  offer: { entity: Offer },
  own: { entity: Claim },
  offers: list(`${claimPath}/offers`, Offer, 'signedIn', ['可领任务', 'Available tasks']),
  details: get(`${claimPath}/offer-detail`, {
    title: ['任务详情', 'Task details'],
    access: 'signedIn',
    input: ById,
    reply: Type.Object({ ...Offer.row.properties, requirement, steps, content: Task.fields.content, resourceIds: Task.fields.resourceIds }),
  }),
  claim: post(`${claimPath}/claim`, { title: ['领取', 'Claim'], access: 'signedIn', input: Type.Object({ taskId: Id() }), reply: Claim.row }),
  submit: post(`${claimPath}/submit`, { title: ['提交凭证', 'Submit proof'], access: 'signedIn', input: Proof, reply: Claim.row }),
  giveUp: post(`${claimPath}/give-up`, { title: ['放弃领取', 'Give up claim'], access: 'signedIn', input: ById, reply: NoContent }),
  mine: list(`${claimPath}/records`, Claim, 'signedIn', ['我的领取', 'My claims']),
};

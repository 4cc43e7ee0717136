import { Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { AdvertiserId, CategoryId, CityId, PlatformId, TaskGradeId } from '#plugins/base-data/contract';
import { ResourceId } from '#plugins/resource/contract';
import { crud, Done, entity, event, filter, get, Ids, list, Nothing, post, type RowOf } from '#shared/contract';
import { Attachment, Choice, DateOnly, DateTime, Id, Image, LongText, Money, Optional, RichText, Several, Text, Whole, ZeroOne } from '#shared/fields';
import { auditMenu, recordMenu, taskMenu } from './menus.ts';

export * from './problem-contract.ts';

const path = '/api/things-task/task';
const claimPath = '/api/things-task/claim';
const OfOne = Shape({ id: Id() });

const what = ['任务内容', 'The task'] as const;
const reach = ['投放范围', 'Where and when'] as const;
const price = ['价格与数量', 'Price and quantity'] as const;
const count = { minimum: 0, maximum: 1_000_000 };

export const taskStates = { draft: 0, waiting: 1, published: 2, takenDown: 3, finished: 4 } as const;
const { draft: drafted, waiting, published, takenDown, finished } = taskStates;
/** The states a task may be edited, deleted, published and taken down in. */
export const taskMoves: Readonly<Record<'change' | 'publish' | 'takeDown', readonly number[]>> = {
  change: [drafted, waiting, takenDown],
  publish: [waiting, takenDown],
  takeDown: [published],
};

/** What claimers see of a task before they look closer. */
const offered = {
  id: Id(),
  title: Text({ title: ['任务标题', 'Title'], maxLength: 128, search: true, width: 240, group: what }),
  platformId: PlatformId({ title: ['投放平台', 'Platform'], search: true, group: reach }),
  categoryId: CategoryId({ title: ['任务分类', 'Category'], search: true, group: what }),
  gradeId: TaskGradeId({ title: ['任务等级', 'Grade'], search: true, list: false, group: price }),
  cityIds: Optional(Several(CityId({ title: ['投放城市', 'Cities'], search: true, list: false, group: reach, help: ['留空：全部城市', 'Empty: every city'] }))),
  cover: Optional(Image({ title: ['封面', 'Cover'], list: false, group: what })),
  unitPrice: Money({ title: ['单价', 'Price each'], minimum: 1, maximum: 1_000_000, sort: true, group: price }),
  quantity: Whole({ title: ['数量', 'Quantity'], minimum: 1, maximum: 1_000_000, group: price }),
  perUserLimit: Whole({ ...count, title: ['每人限领', 'Per person'], default: 1, list: false, group: price, help: ['0 表示不限', '0: no limit'] }),
  startTime: Optional(DateTime({ title: ['开始时间', 'Begins'], list: false, group: reach })),
  endTime: Optional(DateTime({ title: ['结束时间', 'Ends'], search: true, sort: true, group: reach })),
  claimed: Whole({ ...count, title: ['已领', 'Claimed'], form: false }),
  status: Choice({
    title: ['状态', 'Status'],
    form: false,
    search: true,
    sort: true,
    width: 128,
    group: what,
    options: [
      [drafted, ['草稿', 'Draft']],
      [waiting, ['待发布', 'To publish']],
      [published, ['已发布', 'Published']],
      [takenDown, ['已下架', 'Taken down']],
      [finished, ['已完成', 'Finished']],
    ],
    tones: { 0: 'neutral', 1: 'warning', 2: 'good', 3: 'danger', 4: 'brand' },
  }),
};

/** What is to be done for whom, how often and for how much. `claimed` counts places that are taken, `submitted` those with proof, `passed` those approved. */
export const Task = entity('task', {
  ...offered,
  advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true, group: what }),
  advertiserName: Optional(Text({ title: ['广告主名称', 'Advertiser’s name'], maxLength: 128, form: false, list: false })),
  requirement: LongText({ title: ['任务要求', 'What is asked for'], maxLength: 4000, list: false, group: what }),
  steps: Optional(LongText({ title: ['操作步骤', 'Steps'], maxLength: 4000, list: false, group: what })),
  content: Optional(RichText({ title: ['详细说明', 'In detail'], group: what })),
  resourceIds: Optional(
    Several(ResourceId({ title: ['素材', 'Material'], list: false, group: what, help: ['可选已通过审核的部门资源', 'Approved files of departments'] })),
  ),
  budget: Money({ title: ['预算', 'Budget'], form: false, group: price, productOf: ['unitPrice', 'quantity'], help: ['单价 × 数量', 'Price times quantity'] }),
  submitted: Whole({ ...count, title: ['已交', 'Handed in'], form: false }),
  passed: Whole({ ...count, title: ['已通过', 'Approved'], form: false }),
  departId: Optional(Id({ title: ['所属部门', 'Department'] })),
  companyId: Optional(Id({ title: ['所属公司', 'Company'] })),
  remark: Optional(Text({ title: ['备注', 'Remark'], list: false })),
  draft: ZeroOne({ title: ['存为草稿', 'Keep as a draft'], list: false, help: ['草稿要提交后才能发布', 'A draft is handed in before it can be published'] }),
});
export type TaskRow = RowOf<typeof Task>;

/** A task is being written: as its form was sent, with `id` where it is edited. */
export const TaskSaving = filter<Partial<TaskRow>>('task:saving');
/** These tasks are being published. */
export const TasksPublishing = filter<readonly TaskRow[]>('task:publishing');

const {
  list: _list,
  import: _import,
  importTemplate: _template,
  importPreview: _preview,
  importMapping: _mapping,
  ...taskCalls
} = crud(path, Task, {
  menu: taskMenu.code,
});

const Step = Shape({
  id: Id(),
  kind: Unsafe<TaskStep>({ type: 'string' }),
  time: Unsafe<string>({ type: 'string' }),
  userName: Unsafe<string>({ type: 'string' }),
});
/** What may become of a task, as its timeline tells. */
export type TaskStep = 'created' | 'edited' | 'handedIn' | 'published' | 'takenDown' | 'finished';
export type TimelineEntry = Static<typeof Step>;

export const task = {
  ...taskCalls,
  list: list(`${path}/getList`, Task, { code: taskMenu.code }, ['任务列表', 'Tasks']),
  publish: post(`${path}/publish`, { title: ['发布', 'Publish'], who: { code: 'tasks_publish' }, input: Ids, reply: Done }),
  takeDown: post(`${path}/xiajia`, { title: ['下架', 'Take down'], who: { code: 'tasks_xiajia' }, input: Ids, reply: Done }),
  /** A draft of one's own that begins as the task is. */
  copy: post(`${path}/copy`, { title: ['复制', 'Copy'], who: { code: 'tasks_add' }, input: OfOne, reply: Task.row }),
  timeline: get(`${path}/timeline`, { title: ['任务动态', 'Timeline'], who: { code: taskMenu.code }, input: OfOne, reply: List(Step) }),
};

const words = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });

/** What whoever claimed a place sees of it. Amounts in 分. */
const claimed = {
  id: Id(),
  taskId: Id({ title: ['任务编号', 'Task'], search: true }),
  taskTitle: Text({ title: ['任务', 'Task'], maxLength: 128, form: false, search: true, width: 220 }),
  platformAccount: Optional(Text({ title: ['平台账号', 'Account there'], maxLength: 128, search: true })),
  link: Optional(Text({ title: ['作品链接', 'Link'], maxLength: 1000, list: false })),
  images: Optional(
    Attachment({ title: ['截图', 'Pictures'], most: 9, accept: 'image/png,image/jpeg,image/gif,image/webp', maxSize: 10 * 1024 * 1024, list: false }),
  ),
  content: Optional(LongText({ title: ['说明', 'Words'], maxLength: 2000, list: false })),
  deadline: DateTime({ title: ['提交期限', 'Due'], form: false, list: false }),
  submitTime: Optional(DateTime({ title: ['提交时间', 'Handed in'], form: false, search: true, sort: true })),
  auditStatus: Choice({
    title: ['审核状态', 'Audit'],
    form: false,
    search: true,
    options: [
      [0, ['待审核', 'Waiting']],
      [1, ['通过', 'Approved']],
      [2, ['驳回', 'Rejected']],
      [3, ['进行中', 'Under way']],
      [4, ['已失效', 'Lapsed']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'danger', 3: 'brand', 4: 'neutral' },
  }),
  auditTime: Optional(DateTime({ title: ['审核时间', 'Audited'], form: false, search: true, sort: true })),
  reason: Optional(Text({ title: ['驳回原因', 'Reason'], form: false })),
  amount: Money({ title: ['金额', 'Amount'], form: false }),
  payStatus: Choice({
    title: ['付款', 'Payment'],
    form: false,
    search: true,
    options: [
      [0, ['未付', 'Unpaid']],
      [1, ['处理中', 'Under way']],
      [2, ['已付', 'Paid']],
      [3, ['失败', 'Failed']],
    ],
    tones: { 0: 'neutral', 1: 'warning', 2: 'good', 3: 'danger' },
  }),
  payTime: Optional(DateTime({ title: ['付款时间', 'Paid'], form: false, list: false })),
};

/** A place in a task that somebody has claimed, from the claim to the payment of what came of it. */
export const Submission = entity('task_submission', {
  ...claimed,
  userId: Id({ title: ['用户编号', 'User'], search: true }),
  nickName: words(['昵称', 'Name']),
  phone: Optional(words(['手机号', 'Phone'], 32)),
  openid: Optional(Text({ title: ['微信标识', 'WeChat id'], form: false, list: false })),
  auditUser: Optional(Id({ title: ['审核人编号', 'Auditor'], search: true })),
  auditorName: Optional(words(['审核人', 'Audited by'])),
  payNo: Optional(Text({ title: ['付款单号', 'Bill'], maxLength: 64, form: false, list: false, copyable: true })),
  payError: Optional(Text({ title: ['付款失败原因', 'Why it was not paid'], form: false, list: false })),
});
export type SubmissionRow = RowOf<typeof Submission>;

const OfTask = Shape({ taskId: Omissible(Id()) });
const tally = Unsafe<number>({ type: 'integer' });
const text = Unsafe<string>({ type: 'string' });

/** Earlier proof that shows the same picture, to the byte, or leads to the same place. */
const Twin = Shape({ id: Id(), by: Unsafe<'image' | 'link'>({ type: 'string' }), taskTitle: text, nickName: text, submitTime: text, auditStatus: tally });
export type ProofTwin = Static<typeof Twin>;

const { requirement, steps } = Task.fields;
const Item = Shape({ ...Submission.row.properties, requirement, steps, details: Task.fields.content, leaseUntil: text, twins: List(Twin) });
/** One proof before an auditor: what was handed in beside what was asked for. */
export type AuditItem = Static<typeof Item>;

const Counts = Shape({
  /** Counted up to 10,001. */
  pending: tally,
  /** With other auditors right now. */
  held: tally,
  passedToday: tally,
  rejectedToday: tally,
  /** Seconds in which the auditor may take a decision back. */
  undoSeconds: tally,
});
export type AuditCounts = Static<typeof Counts>;

const Figure = Shape({ auditUser: Id(), auditorName: text, passed: tally, rejected: tally });
export type AuditorFigure = Static<typeof Figure>;

const may = { code: auditMenu.code };
const Decision = Shape({
  id: Omissible(Id()),
  ids: Omissible(List(Id(), { maxItems: 200 })),
  status: Unsafe<1 | 2>({ type: 'integer', enum: [1, 2] }),
  reason: Omissible(Optional(Text({ title: ['驳回原因', 'Reason'] }))),
});

/** Seconds in which whoever has decided may take it back; nothing is paid before. */
export const undoSeconds = 60;

/** Where proof is judged. What an auditor has taken is with nobody else until it is decided, released or its time is up. */
export const audit = {
  waiting: list(`${path}/getAuditList`, Submission, may, ['待审核', 'Waiting for an audit']),
  records: list(`${path}/getRecordList`, Submission, { code: recordMenu.code }, ['审核记录', 'Audit records']),
  decide: post(`${path}/doAudit`, { title: ['审核', 'Audit'], who: may, input: Decision, reply: Shape({ count: tally }) }),
  undo: post(`${path}/audit/undo`, { title: ['撤销审核', 'Undo an audit'], who: may, input: Ids, reply: Done }),
  /** The oldest that wait and are with nobody, those the auditor holds already before them. */
  take: post(`${path}/audit/take`, {
    title: ['领取待审', 'Take from the queue'],
    who: may,
    input: Shape({
      ...OfTask.properties,
      size: Whole({ title: ['条数', 'Size'], minimum: 1, maximum: 50, default: 10 }),
      except: Omissible(List(Id(), { maxItems: 200 })),
    }),
    reply: List(Item),
  }),
  release: post(`${path}/audit/release`, { title: ['放回队列', 'Put back'], who: may, input: Ids, reply: Done }),
  counts: get(`${path}/audit/counts`, { title: ['审核进度', 'Where the queue stands'], who: may, input: Nothing, reply: Counts }),
  figures: get(`${path}/audit/figures`, {
    title: ['审核统计', 'Figures of auditors'],
    who: { code: recordMenu.code },
    input: Shape({ from: Omissible(DateOnly({ title: ['起', 'From'] })), to: Omissible(DateOnly({ title: ['止', 'To'] })) }),
    reply: List(Figure),
  }),
};

/** What was decided, as a screen shows it. */
export const auditRecords = { entity: Submission, menu: recordMenu.code, list: audit.records };

/** Something was handed in, taken, decided or given back: whoever shows the queue asks for it anew. */
export const QueueChanged = event<Record<string, never>>('task:queue-changed');

const Offer = entity('task', offered);
const Claim = entity('task_submission', claimed);
const { platformAccount, link, images, content } = Submission.fields;
const Proof = Shape({ id: Id(), platformAccount, link, images, content });
export type ProofInput = Static<typeof Proof>;

/** The mini-app's side: whoever is signed in sees what is on offer and what became of their claims; what they do, they do by a client of the mini-app. */
export const claiming = {
  offer: { entity: Offer },
  mineOnly: { entity: Claim },
  offers: list(`${claimPath}/offers`, Offer, 'signedIn', ['可领任务', 'Tasks on offer']),
  details: get(`${claimPath}/offer-detail`, {
    title: ['任务详情', 'A task on offer'],
    who: 'signedIn',
    input: OfOne,
    reply: Shape({ ...Offer.row.properties, requirement, steps, content: Task.fields.content, resourceIds: Task.fields.resourceIds }),
  }),
  claim: post(`${claimPath}/claim`, { title: ['领取', 'Claim'], who: 'signedIn', input: Shape({ taskId: Id() }), reply: Claim.row }),
  submit: post(`${claimPath}/submit`, { title: ['提交凭证', 'Hand in proof'], who: 'signedIn', input: Proof, reply: Claim.row }),
  giveUp: post(`${claimPath}/give-up`, { title: ['放弃领取', 'Give up'], who: 'signedIn', input: OfOne, reply: Done }),
  mine: list(`${claimPath}/records`, Claim, 'signedIn', ['我的领取', 'My claims']),
};

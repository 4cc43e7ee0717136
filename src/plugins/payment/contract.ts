import { Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { AdvertiserId } from '#plugins/base-data/contract';
import { Submission } from '#plugins/task/contract';
import { crud, Done, entity, get, Ids, list, Nothing, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, DateTime, Id, LongText, Money, Optional, Secret, Text, Url, Whole } from '#shared/fields';
import { ledgerMenu, payChannelMenu, payMenu, payoutMenu } from './menus.ts';

export * from './confirmation-contract.ts';
export * from './reconciliation-contract.ts';
export * from './work-contract.ts';

const moneyPath = '/api/things-task/ledger';
const most = 1_000_000_000_000;
const tally = Unsafe<number>({ type: 'integer' });

/** Why money was moved. */
export const moves = { received: 1, refunded: 2, reserved: 3, paid: 4, returned: 5, opened: 6 } as const;
/** Where money stands: with us for an advertiser, brought by advertisers (as much below nothing), on its way to people, with people. */
export const accounts = { advertiser: 1, received: 2, underWay: 3, paid: 4 } as const;

/** One side of a movement of money, never changed once it is written; both sides of a movement bear one `entryId`, and their amounts add up to nothing. In 分. */
export const LedgerPosting = entity('ledger_posting', {
  id: Id(),
  entryId: Id({ title: ['分录编号', 'Entry'], search: true }),
  kind: Choice({
    title: ['业务', 'What for'],
    form: false,
    search: true,
    options: [
      [moves.received, ['收款', 'Received']],
      [moves.refunded, ['退款', 'Refunded']],
      [moves.reserved, ['付款冻结', 'Set aside']],
      [moves.paid, ['付款成功', 'Paid out']],
      [moves.returned, ['付款退回', 'Returned']],
      [moves.opened, ['期初', 'Opening']],
    ],
    tones: { 1: 'good', 2: 'warning', 3: 'brand', 4: 'neutral', 5: 'warning', 6: 'neutral' },
  }),
  account: Choice({
    title: ['账户', 'Account'],
    form: false,
    search: true,
    options: [
      [accounts.advertiser, ['广告主', 'Advertiser']],
      [accounts.received, ['收款账户', 'Received']],
      [accounts.underWay, ['付款在途', 'Under way']],
      [accounts.paid, ['已付款', 'Paid out']],
    ],
  }),
  advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true }),
  amount: Money({
    title: ['金额', 'Amount'],
    minimum: -most,
    search: true,
    help: ['正数为收款，负数为退款', 'Above zero it is received, below it is refunded'],
  }),
  payNo: Optional(Text({ title: ['付款单号', 'Bill'], maxLength: 32, form: false, search: true, copyable: true, width: 248 })),
  remark: Optional(Text({ title: ['备注', 'Remark'], list: false })),
  createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }),
});
export type LedgerRow = RowOf<typeof LedgerPosting>;

const { advertiserId, amount, remark } = LedgerPosting.fields;
const { list: postings, export: exported } = crud(moneyPath, LedgerPosting, { menu: ledgerMenu.code });

const Fault = Shape({ what: Unsafe<'entry' | 'account' | 'balance' | 'payouts'>({ type: 'string' }), id: Id(), kept: tally, added: tally });
/** Where what is kept and what adds up differ: an entry by its id, an account by its number, a balance by its advertiser. */
export type LedgerFault = Static<typeof Fault>;

/** The money of a tenant's advertisers. */
export const ledger = {
  entity: LedgerPosting,
  menu: ledgerMenu.code,
  list: postings,
  export: exported,
  /** Notes money an advertiser has brought, or was given back where the amount is below nothing. */
  submit: post(`${moneyPath}/submit`, {
    title: ['登记收退款', 'Note money received or refunded'],
    who: { code: 'ledger_add' },
    input: Shape({ advertiserId, amount, remark }, { additionalProperties: false }),
    reply: LedgerPosting.row,
  }),
  /** Adds everything up again; nothing is answered where it is as it is kept. */
  check: get(`${moneyPath}/check`, { title: ['核对账目', 'Check the ledger'], who: { code: ledgerMenu.code }, input: Nothing, reply: List(Fault) }),
};

const payPath = '/api/things-task/weixinpay';

/** How far a payout has come. */
export const payoutStates = { awaiting: 0, underWay: 1, paid: 2, failed: 3, refused: 4 } as const;

const words = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });

/** One payment for one approved submission. Its number stays until the provider has said that it failed; a submission has at most one that has neither failed nor been refused. */
export const Payout = entity('payout', {
  id: Id(),
  payNo: Text({ title: ['付款单号', 'Bill'], maxLength: 32, form: false, search: true, copyable: true, width: 248 }),
  batchNo: Text({ title: ['批次号', 'Batch'], maxLength: 32, form: false, search: true, copyable: true }),
  submissionId: Id({ title: ['提交编号', 'Submission'], search: true }),
  taskId: Id({ title: ['任务编号', 'Task'], search: true }),
  taskTitle: Text({ title: ['任务', 'Task'], maxLength: 128, form: false, search: true, width: 200 }),
  advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true, form: false }),
  userId: Id({ title: ['收款人编号', 'Payee'], search: true }),
  nickName: Text({ title: ['收款人', 'Payee'], maxLength: 64, form: false, search: true, width: 110 }),
  openid: Text({ title: ['微信标识', 'WeChat id'], form: false, list: false }),
  amount: Money({ title: ['金额', 'Amount'], form: false, search: true }),
  state: Choice({
    title: ['状态', 'State'],
    form: false,
    search: true,
    options: [
      [payoutStates.awaiting, ['待复核', 'To approve']],
      [payoutStates.underWay, ['处理中', 'Under way']],
      [payoutStates.paid, ['已付', 'Paid']],
      [payoutStates.failed, ['失败', 'Failed']],
      [payoutStates.refused, ['已驳回', 'Refused']],
    ],
    tones: { 0: 'brand', 1: 'warning', 2: 'good', 3: 'danger', 4: 'neutral' },
  }),
  channel: Optional(
    Choice({
      title: ['支付渠道', 'Channel'],
      form: false,
      search: true,
      options: [
        [1, ['沙箱', 'Sandbox']],
        [2, ['微信支付', 'WeChat Pay']],
      ],
    }),
  ),
  gateway: Text({ title: ['渠道配置', 'Sent by'], maxLength: 32, form: false, list: false }),
  providerNo: Optional(Text({ title: ['渠道单号', 'Provider’s bill'], maxLength: 64, form: false, search: true, copyable: true })),
  providerState: Optional(words(['渠道状态', 'Provider says'])),
  tries: Whole({ title: ['询问次数', 'Tries'], minimum: 0, form: false, list: false }),
  note: Optional(Text({ title: ['说明', 'Note'], form: false })),
  requesterName: words(['申请人', 'Requested by']),
  approverName: Optional(words(['复核人', 'Approved by'])),
  reason: Optional(Text({ title: ['驳回原因', 'Reason'], list: false })),
  paidTime: Optional(DateTime({ title: ['付款时间', 'Paid'], form: false, search: true, sort: true })),
});
export type PayoutRow = RowOf<typeof Payout>;

const Begun = Shape({ id: Id(), payNo: Unsafe<string>({ type: 'string' }), state: tally });
const { list: payouts, export: payoutExport } = crud(payPath, Payout, { menu: payoutMenu.code });
const mayApprove = { code: 'payout_approve' };

/** What may be paid, and paying it. */
export const payable = {
  entity: Submission,
  menu: payMenu.code,
  /** Approved, unpaid, and past the time in which an auditor may take the approval back; the oldest approval first. */
  list: list(`${payPath}/payable`, Submission, { code: payMenu.code }, ['待付款', 'To be paid']),
  /** Begins to pay for submissions, all or none. What is being paid or was paid already is answered with the bill it has; `state` is that of the first. */
  pay: post(payPath, {
    title: ['付款', 'Pay'],
    who: { code: payMenu.code },
    input: Shape({ id: Omissible(Id()), ids: Omissible(Ids.properties.ids) }),
    reply: Shape({ payNo: Unsafe<string>({ type: 'string' }), state: tally, payouts: List(Begun) }),
  }),
};

export const payout = {
  entity: Payout,
  menu: payoutMenu.code,
  list: payouts,
  export: payoutExport,
  /** By somebody else than who asked for them. */
  approve: post(`${payPath}/approve`, { title: ['复核通过', 'Approve payouts'], who: mayApprove, input: Ids, reply: Done }),
  refuse: post(`${payPath}/refuse`, {
    title: ['复核驳回', 'Refuse a payout'],
    who: mayApprove,
    input: Shape({ id: Id(), reason: Payout.fields.reason }),
    reply: Done,
  }),
};

const channelPath = '/api/things-task/pay-channel';
const merchant = ['商户', 'Merchant'] as const;
const provider = ['微信支付', 'WeChat Pay'] as const;
const scene = ['转账场景', 'Scene'] as const;

export const channelStatus = { off: 1, enabled: 2 } as const;

/** A merchant at WeChat Pay by whom a tenant pays; at most one is enabled, and without any the built-in sandbox pays in name only. Keys are PEM. */
export const PayChannel = entity('pay_channel', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, group: merchant }),
  mchId: Text({ title: ['商户号', 'Merchant id'], maxLength: 32, pattern: '^\\d{6,32}$', search: true, group: merchant }),
  appId: Text({ title: ['应用编号', 'App id'], maxLength: 32, pattern: '^\\w+$', group: merchant }),
  serialNo: Text({ title: ['商户证书序列号', 'Serial of the certificate'], maxLength: 64, pattern: '^[0-9A-Fa-f]+$', list: false, group: merchant }),
  privateKey: Secret({
    title: ['商户私钥', 'Private key'],
    maxLength: 8000,
    help: ['apiclient_key.pem 的内容', 'What apiclient_key.pem holds'],
    group: merchant,
  }),
  apiV3Key: Secret({ title: ['APIv3 密钥', 'API v3 key'], maxLength: 32, help: ['32 个字符', '32 characters'], group: merchant }),
  publicKeyId: Text({
    title: ['微信支付公钥 ID', 'Id of their public key'],
    maxLength: 64,
    pattern: '^\\w+$',
    list: false,
    help: ['PUB_KEY_ID_… 或平台证书序列号', 'PUB_KEY_ID_… or the serial of their certificate'],
    group: provider,
  }),
  publicKey: LongText({
    title: ['微信支付公钥', 'Their public key'],
    maxLength: 8000,
    list: false,
    help: ['公钥或平台证书，PEM', 'The key or their certificate, PEM'],
    group: provider,
  }),
  notifyUrl: Optional(
    Url({
      title: ['通知地址', 'Notices go to'],
      list: false,
      help: [
        'https://本站域名/api/things-task/weixinpay/notify；留空则只主动查询',
        'https://this.host/api/things-task/weixinpay/notify. Empty: they are asked only',
      ],
      group: provider,
    }),
  ),
  sceneId: Text({ title: ['场景编号', 'Scene'], maxLength: 16, pattern: '^\\d+$', list: false, help: ['佣金报酬为 1005', '1005: commission'], group: scene }),
  jobTitle: Text({ title: ['岗位类型', 'Kind of work'], maxLength: 32, list: false, group: scene }),
  rewardNote: Text({ title: ['报酬说明', 'What it is paid for'], maxLength: 32, list: false, group: scene }),
  status: Choice({
    title: ['状态', 'Status'],
    form: false,
    search: true,
    default: channelStatus.off,
    tones: { 1: 'neutral', 2: 'good' },
    options: [
      [channelStatus.off, ['停用', 'Off']],
      [channelStatus.enabled, ['启用', 'On']],
    ],
  }),
  remark: Optional(Text({ title: ['备注', 'Remark'], list: false })),
});
export type PayChannelRow = RowOf<typeof PayChannel>;

const {
  import: _import,
  importTemplate: _template,
  importPreview: _preview,
  importMapping: _mapping,
  export: _export,
  ...channels
} = crud(channelPath, PayChannel, { menu: payChannelMenu.code });
const mayEnable = { code: 'pay_channel_enable' };
const OfOne = Shape({ id: Id() });

export const payChannel = {
  ...channels,
  /** Payouts that are not sent yet go by this one from now on; those that were sent are asked about where they went. */
  enable: post(`${channelPath}/enable`, { title: ['启用', 'Turn on'], who: mayEnable, input: OfOne, reply: Done }),
  disable: post(`${channelPath}/disable`, { title: ['停用', 'Turn off'], who: mayEnable, input: OfOne, reply: Done }),
};

/** Where WeChat Pay tells what has become of a bill; believed for its signature alone. */
export const payNotice = post(`${payPath}/notify`, {
  title: ['微信支付通知', 'Notice of WeChat Pay'],
  who: 'open',
  raw: true,
  bare: true,
  input: Shape({ raw: Unsafe<string>({ type: 'string', maxLength: 100_000 }) }),
  reply: Shape({ code: Unsafe<string>({ type: 'string' }), message: Unsafe<string>({ type: 'string' }) }),
});

export const paymentProblems = {
  noAdvertiser: problem(400, ['广告主不存在', 'There is no such advertiser.']),
  nothingMoved: problem(400, ['金额不能为零', 'The amount cannot be zero.']),
  refundTooLarge: problem(409, ['退款不能超过账户余额 {balance} 元', 'A refund cannot be more than the balance of {balance} yuan.']),
  notApproved: problem(409, ['「{title}」未通过审核，不能付款', '“{title}” was not approved and cannot be paid.']),
  tooEarly: problem(409, [
    '「{title}」刚通过审核，{seconds} 秒内仍可撤销，请稍后付款',
    'The approval of “{title}” can be taken back for {seconds} seconds. Pay later.',
  ]),
  noWallet: problem(409, ['{name} 没有绑定微信，不能付款', '{name} has no WeChat account to pay to.']),
  ownWork: problem(403, ['不能为自己付款', 'Nobody pays themselves.']),
  overSingle: problem(409, ['单笔付款不能超过 {limit} 元', 'One payment cannot be more than {limit} yuan.']),
  overDaily: problem(409, ['今日付款将超过上限 {limit} 元', 'Payments of today would be more than {limit} yuan.']),
  noMoney: problem(409, [
    '广告主「{name}」余额不足：需要 {needed} 元，可用 {available} 元',
    'Not enough money of {name}: {needed} yuan are needed, {available} are there.',
  ]),
  notAwaiting: problem(409, ['付款单 {payNo} 不在待复核状态', 'Bill {payNo} does not await approval.']),
  ownRequest: problem(403, ['不能复核自己申请的付款', 'Nobody approves what they asked for themselves.']),
  wrongPrivateKey: problem(400, ['商户私钥不是 PEM 格式的 RSA 私钥', 'This is no RSA private key in PEM.']),
  wrongPublicKey: problem(400, ['微信支付公钥不是 PEM 格式的公钥或证书', 'This is neither an RSA public key nor a certificate in PEM.']),
  wrongApiKey: problem(400, ['APIv3 密钥须为 32 个字符', 'An API v3 key has 32 characters.']),
  isEnabled: problem(409, ['启用中的支付配置不能删除', 'A provider that is turned on cannot be deleted.']),
  hasOpenBills: problem(409, [
    '该配置还有 {count} 笔处理中的付款，不能删除或更换商户',
    'It still has {count} payments under way, and can neither be deleted nor become another merchant.',
  ]),
  forgedNotice: problem(401, ['通知签名不正确', 'The signature of this notice is wrong.']),
};

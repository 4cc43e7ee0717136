import * as Type from 'typebox';
import { providerStatusField, routingFields } from '#plugins/payment/contract';
import { atMost, ById, crud, entity, NoContent, post, type RowOf, withFreshProof, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { Id, LongText, Nullable, Secret, Text, Url } from '#shared/fields';
import { payChannelMenu } from './menus.ts';

const payPath = '/api/things-task/weixinpay';
const channelPath = '/api/things-task/pay-channel';
const merchant = ['商户', 'Merchant'] as const;
const provider = ['微信支付', 'WeChat Pay'] as const;
const scene = ['转账场景', 'Transfer scene'] as const;

/** WeChat Pay merchant of a tenant; at most one is enabled, and replacing its PEM keys disables it. */
export const PayChannel = entity(
  'pay_channel',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, group: merchant }),
    mchId: Text({ title: ['商户号', 'Merchant ID'], maxLength: 32, pattern: '^\\d{6,32}$', search: true, immutable: true, group: merchant }),
    appId: Text({ title: ['应用编号', 'App ID'], maxLength: 32, pattern: '^\\w+$', immutable: true, group: merchant }),
    serialNo: Text({ title: ['商户证书序列号', 'Merchant certificate serial no.'], maxLength: 64, pattern: '^[0-9A-Fa-f]+$', list: false, group: merchant }),
    privateKey: Secret({
      title: ['商户私钥', 'Private key'],
      maxLength: 8000,
      help: ['apiclient_key.pem 的内容；更换密钥会停用配置', 'Contents of apiclient_key.pem. Replacing the keys disables the provider.'],
      group: merchant,
    }),
    apiV3Key: Secret({ title: ['APIv3 密钥', 'APIv3 key'], maxLength: 32, help: ['32 个字符', '32 characters'], group: merchant }),
    publicKeyId: Text({
      title: ['微信支付公钥 ID', 'WeChat Pay public key ID'],
      maxLength: 64,
      pattern: '^\\w+$',
      list: false,
      help: ['PUB_KEY_ID_… 或平台证书序列号', 'PUB_KEY_ID_… or the platform certificate serial no.'],
      group: provider,
    }),
    publicKey: LongText({
      title: ['微信支付公钥', 'WeChat Pay public key'],
      maxLength: 8000,
      list: false,
      help: ['公钥或平台证书，PEM', 'Public key or platform certificate (PEM)'],
      group: provider,
    }),
    notifyUrl: Nullable(
      Url({
        title: ['通知地址', 'Notification URL'],
        list: false,
        help: [
          'https://本站地址/api/things-task/weixinpay/notify；留空则只主动查询',
          'https://this.console/api/things-task/weixinpay/notify. Leave empty to rely on polling only',
        ],
        group: provider,
      }),
    ),
    sceneId: Text({ title: ['场景编号', 'Scene'], maxLength: 16, pattern: '^\\d+$', list: false, help: ['佣金报酬为 1005', 'Commission: 1005'], group: scene }),
    jobTitle: Text({ title: ['岗位类型', 'Job title'], maxLength: 32, list: false, group: scene }),
    rewardNote: Text({ title: ['报酬说明', 'Reward description'], maxLength: 32, list: false, group: scene }),
    ...routingFields,
    status: providerStatusField,
    remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
  },
  { rules: [atMost('minAmount', 'maxAmount')] },
);
export type PayChannelRow = RowOf<typeof PayChannel>;

const channels = withoutCalls(
  withFreshProof(crud(channelPath, PayChannel, { menu: payChannelMenu.code }), 'submit', 'bulkSubmit', 'remove'),
  'import',
  'export',
);
const mayEnable = { code: 'pay_channel_enable' };

export const payChannel = {
  ...channels,
  /** Payouts that were not sent yet use this channel from now on; those already sent stay with theirs. */
  enable: post(`${channelPath}/enable`, { title: ['启用', 'Enable'], access: mayEnable, proof: 'fresh', input: ById, reply: NoContent }),
  disable: post(`${channelPath}/disable`, { title: ['停用', 'Disable'], access: mayEnable, proof: 'fresh', input: ById, reply: NoContent }),
};

/** Notification that makes the server query WeChat Pay about a payout. Its signature, merchant and amount must match, and its content is never booked itself. */
export const payNotice = post(`${payPath}/notify`, {
  title: ['微信支付通知', 'WeChat Pay notification'],
  access: 'open',
  raw: true,
  bare: true,
  input: Type.Object({ raw: Type.Unsafe<string>({ type: 'string', maxLength: 100_000 }) }),
  reply: Type.Object({ code: Type.Unsafe<string>({ type: 'string' }), message: Type.Unsafe<string>({ type: 'string' }) }),
});

/** Reasons why a merchant is refused. */
export const wechatPayProblems = {
  wrongPublicKey: problem(400, ['微信支付公钥不是 PEM 格式的公钥或证书', 'The WeChat Pay public key must be a public key or certificate in PEM format.']),
  wrongApiKey: problem(400, ['APIv3 密钥须为 32 个字符', 'The APIv3 key must have 32 characters.']),
};

/** Kind of record in the titles of forms. */
export const payChannelNoun = ['支付配置', 'payment provider'] as const;

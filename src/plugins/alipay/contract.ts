import * as Type from 'typebox';
import { providerStatusField, routingFields } from '#plugins/payment/contract';
import { atMost, ById, crud, entity, NoContent, post, type RowOf, withFreshProof, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { Id, LongText, Nullable, Secret, Text } from '#shared/fields';
import { alipayMenu } from './menus.ts';

const path = '/api/things-task/alipay-merchant';

/** Alipay app of a tenant; at most one is enabled, and replacing its keys disables it. */
export const AlipayMerchant = entity(
  'alipay_merchant',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true }),
    appId: Text({ title: ['应用编号', 'App ID'], maxLength: 32, pattern: '^\\d{16,32}$', immutable: true, search: true }),
    privateKey: Secret({
      title: ['应用私钥', 'App private key'],
      maxLength: 8000,
      help: ['RSA2 私钥；更换密钥会停用配置', 'RSA2 private key. Replacing the keys disables the merchant.'],
    }),
    publicKey: LongText({
      title: ['支付宝公钥', 'Alipay public key'],
      maxLength: 8000,
      list: false,
      help: [
        '在开放平台查看；通知地址填写在应用网关：https://本站地址/api/things-task/alipay/notify',
        'Shown on the open platform. Enter https://this.console/api/things-task/alipay/notify there as the gateway of the app to get notifications.',
      ],
    }),
    ...routingFields,
    status: providerStatusField,
    remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
  },
  { rules: [atMost('minAmount', 'maxAmount')] },
);
export type AlipayMerchantRow = RowOf<typeof AlipayMerchant>;

const merchants = withoutCalls(withFreshProof(crud(path, AlipayMerchant, { menu: alipayMenu.code }), 'submit', 'bulkSubmit', 'remove'), 'import', 'export');
const mayEnable = { code: 'alipay_merchant_enable' };

export const alipayMerchant = {
  ...merchants,
  /** Enables a merchant for payouts that have not been sent yet; those already sent stay with their merchant. */
  enable: post(`${path}/enable`, { title: ['启用', 'Enable'], access: mayEnable, proof: 'fresh', input: ById, reply: NoContent }),
  disable: post(`${path}/disable`, { title: ['停用', 'Disable'], access: mayEnable, proof: 'fresh', input: ById, reply: NoContent }),
};

/** Notification that makes the server query Alipay about a payout; the reply is the text `success`. The payout is updated from the result of the query, never from the content of the notification. */
export const alipayNotification = post('/api/things-task/alipay/notify', {
  title: ['支付宝通知', 'Alipay notification'],
  access: 'open',
  raw: true,
  download: true,
  input: Type.Object({ raw: Type.Unsafe<string>({ type: 'string', maxLength: 100_000 }) }),
  reply: Type.Unsafe<never>({ type: 'string' }),
});

/** Reasons why a merchant is refused or a bill is not read. */
export const alipayProblems = {
  billNotReady: problem(409, ['支付宝账单尚未生成', 'Alipay has not generated the bill of the day yet.']),
  wrongPublicKey: problem(400, ['支付宝公钥不是 RSA 公钥', 'The Alipay public key must be an RSA public key.']),
};

/** Name of a record in the titles of forms. */
export const alipayNoun = ['支付宝配置', 'Alipay merchant'] as const;

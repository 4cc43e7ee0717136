import * as Type from 'typebox';
import { get, NoContent, post } from '#shared/contract';
import { Id } from '#shared/fields';

const path = '/api/things-task/claim/payment';
const BySubmission = Type.Object({ id: Id({ title: ['提交编号', 'Submission ID'] }) });
const text = Type.Unsafe<string>({ type: 'string' });
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Payment as its payee sees it in the mini-app, with the data the device needs to confirm the transfer. */
export const confirmation = {
  /** `state` is the payout's. While the payee has to confirm, `packageInfo` is what `wx.requestMerchantTransfer` takes as `package`, with `mchId` and `appId`. Amounts in 分. */
  detail: get(path, {
    title: ['我的付款', 'My payment'],
    access: 'signedIn',
    input: BySubmission,
    reply: Type.Object({
      payNo: text,
      state: Type.Unsafe<number>({ type: 'integer' }),
      amount: Type.Unsafe<number>({ type: 'integer' }),
      mchId: nullableText,
      appId: nullableText,
      packageInfo: nullableText,
    }),
  }),
  /** Reports that the payee has confirmed or declined on the device; the server queries the provider at once. */
  answered: post(`${path}/answered`, { title: ['已在微信确认', 'Confirmed in WeChat'], access: 'signedIn', input: BySubmission, reply: NoContent }),
};

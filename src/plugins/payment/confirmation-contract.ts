import * as Type from 'typebox';
import { get, NoContent, post } from '#shared/contract';
import { Id } from '#shared/fields';

const path = '/api/things-task/claim/payment';
const BySubmission = Type.Object({ id: Id({ title: ['提交编号', 'Submission ID'] }) });
const text = Type.Unsafe<string>({ type: 'string' });
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Routes with which the payee follows and confirms a payment in the mini-app. */
export const confirmation = {
  /** Returns the payment of a submission. `state` is the state of the payout and amounts are in 分: `netAmount` is what the payee receives, `withheld` the tax. While the payee has to confirm, pass `mchId`, `appId` and, as `package`, `packageInfo` to `wx.requestMerchantTransfer`. */
  detail: get(path, {
    title: ['我的付款', 'My payment'],
    access: 'signedIn',
    input: BySubmission,
    reply: Type.Object({
      payNo: text,
      state: Type.Unsafe<number>({ type: 'integer' }),
      amount: Type.Unsafe<number>({ type: 'integer' }),
      withheld: Type.Unsafe<number>({ type: 'integer' }),
      netAmount: Type.Unsafe<number>({ type: 'integer' }),
      mchId: nullableText,
      appId: nullableText,
      packageInfo: nullableText,
    }),
  }),
  /** Reports that the payee has confirmed or declined in WeChat, so that the server queries the result at once. */
  reportDecision: post(`${path}/answered`, { title: ['已在微信确认', 'Confirmed in WeChat'], access: 'signedIn', input: BySubmission, reply: NoContent }),
};

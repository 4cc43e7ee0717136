import { Object as Shape, Unsafe } from 'typebox';
import { Done, get, post } from '#shared/contract';
import { Id } from '#shared/fields';

const path = '/api/things-task/claim/payment';
const OfOne = Shape({ id: Id({ title: ['提交编号', 'Submission'] }) });
const text = Unsafe<string>({ type: 'string' });
const perhaps = Unsafe<string | null>({ type: ['string', 'null'] });

/** The mini-app's side of a payment: what was claimed by whoever is signed in, and what their device needs to let the money in. */
export const confirmation = {
  /** `state` is the payout's. While the payee has to confirm, `packageInfo` is what `wx.requestMerchantTransfer` takes as `package`, with `mchId` and `appId`. Amounts in 分. */
  detail: get(path, {
    title: ['我的付款', 'My payment'],
    who: 'signedIn',
    input: OfOne,
    reply: Shape({
      payNo: text,
      state: Unsafe<number>({ type: 'integer' }),
      amount: Unsafe<number>({ type: 'integer' }),
      mchId: perhaps,
      appId: perhaps,
      packageInfo: perhaps,
    }),
  }),
  /** The payee has confirmed or declined on their device: the provider is asked at once. */
  answered: post(`${path}/answered`, { title: ['已在微信确认', 'Answered in WeChat'], who: 'signedIn', input: OfOne, reply: Done }),
};

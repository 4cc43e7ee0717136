import { definePlugin, page } from '#kernel';
import { alipayMenu } from '../menus.ts';

/** Alipay: transfers to the Alipay accounts of payees. */
export default definePlugin({
  id: 'alipay',
  title: ['支付宝', 'Alipay'],
  dependencies: ['payment'],
  pages: [page(alipayMenu, () => import('./AlipayMerchantPage.tsx'))],
});

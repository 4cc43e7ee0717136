import { definePlugin, page } from '#kernel';
import { payChannelMenu } from '../menus.ts';

/** WeChat Pay: transfers to the WeChat accounts of payees. */
export default definePlugin({
  id: 'wechat-pay',
  title: ['微信支付', 'WeChat Pay'],
  dependencies: ['payment'],
  pages: [page(payChannelMenu, () => import('./PayChannelPage.tsx'))],
});

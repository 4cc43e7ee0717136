import { providerStatus } from '#plugins/payment/contract';
import { PaymentProviders, ProviderPayouts } from '#plugins/payment/server-extension';
import { crudRoutes, defineServerPlugin, filterHandler, route } from '#server';
import { alipayMerchant } from '../contract.ts';
import { alipayMenu } from '../menus.ts';
import type AlipayOptions from '../options.ts';
import { AlipayMerchants, noticeRoute } from './merchants.ts';

/** Alipay: transfers to the Alipay accounts of payees. */
export default defineServerPlugin<typeof AlipayOptions>({
  id: 'alipay',
  title: ['支付宝', 'Alipay'],
  dependencies: ['payment'],
  menus: [alipayMenu],

  setup({ db, get, options }) {
    const payouts = get(ProviderPayouts);
    const merchants = new AlipayMerchants(db, payouts, options.address);
    return {
      filters: [filterHandler(PaymentProviders, (providers) => [...providers, merchants])],
      routes: [
        crudRoutes(alipayMerchant, merchants.rows, { search: { fields: ['name', 'appId'], subtitle: ['appId'], actions: { alipay_merchant_edit: true } } }),
        route(alipayMerchant.enable, ({ input }) => merchants.setStatus(input.id, providerStatus.enabled)),
        route(alipayMerchant.disable, ({ input }) => merchants.setStatus(input.id, providerStatus.off)),
        noticeRoute(merchants, payouts),
      ],
    };
  },
});

import { Readable } from 'node:stream';
import { paymentProblems } from '#plugins/payment/contract';
import { PaymentProviders, ProviderPayouts } from '#plugins/payment/server-extension';
import { ApiError, crudRoutes, defineServerPlugin, filterHandler, route } from '#server';
import { alipayMerchant, alipayNotice, alipayStatus } from '../contract.ts';
import { alipayMenu } from '../menus.ts';
import type AlipayOptions from '../options.ts';
import { Merchants } from './merchants.ts';

/** Alipay expects exactly this text for a notification that was taken. */
const accepted = 'success';

/** Alipay: transfers to the Alipay accounts of payees. */
export default defineServerPlugin<typeof AlipayOptions>({
  id: 'alipay',
  title: ['支付宝', 'Alipay'],
  dependencies: ['payment'],
  menus: [alipayMenu],

  setup({ db, get, options }) {
    const payouts = get(ProviderPayouts);
    const merchants = new Merchants(db, payouts, options.address);
    return {
      filters: [filterHandler(PaymentProviders, (providers) => [...providers, merchants])],
      routes: [
        crudRoutes(alipayMerchant, merchants.rows, { search: { fields: ['name', 'appId'], subtitle: ['appId'], actions: { alipay_merchant_edit: true } } }),
        route(alipayMerchant.enable, ({ input }) => merchants.setStatus(input.id, alipayStatus.enabled)),
        route(alipayMerchant.disable, ({ input }) => merchants.setStatus(input.id, alipayStatus.off)),
        route(
          alipayNotice,
          async ({ input: { raw }, header = () => '' }) => {
            const gateways = await merchants.enabledWithApp(new URLSearchParams(raw).get('app_id') ?? '');
            if (!(await payouts.receive(gateways, { body: raw, header }))) throw new ApiError(paymentProblems.invalidNotice);
            return { name: 'reply.txt', type: 'text/plain', size: accepted.length, isPublic: false, content: Readable.from([accepted]) };
          },
          { manualTransactions: true },
        ),
      ],
    };
  },
});

import { paymentProblems, providerStatus } from '#plugins/payment/contract';
import { PaymentProviders, ProviderPayouts } from '#plugins/payment/server-extension';
import { ApiError, crudRoutes, defineServerPlugin, filterHandler, route } from '#server';
import { payChannel, payNotice } from '../contract.ts';
import { payChannelMenu } from '../menus.ts';
import type WechatPayOptions from '../options.ts';
import { PayChannels, platformCertificates } from './channels.ts';

/** WeChat Pay: transfers to the WeChat accounts of payees. */
export default defineServerPlugin<typeof WechatPayOptions>({
  id: 'wechat-pay',
  title: ['微信支付', 'WeChat Pay'],
  dependencies: ['payment'],
  menus: [payChannelMenu],

  setup({ db, get, options }) {
    const payouts = get(ProviderPayouts);
    const channels = new PayChannels(db, payouts, options.address);
    return {
      filters: [filterHandler(PaymentProviders, (providers) => [...providers, channels])],
      health: [platformCertificates(db)],
      routes: [
        crudRoutes(payChannel, channels.rows, { search: { fields: ['name', 'mchId'], subtitle: ['mchId'], actions: { pay_channel_edit: true } } }),
        route(payChannel.enable, ({ input }) => channels.setStatus(input.id, providerStatus.enabled)),
        route(payChannel.disable, ({ input }) => channels.setStatus(input.id, providerStatus.off)),
        route(
          payNotice,
          async ({ input: { raw }, header = () => '' }) => {
            const gateways = await channels.enabledWithKey(header('wechatpay-serial'));
            if (!(await payouts.receive(gateways, { body: raw, header }))) throw new ApiError(paymentProblems.invalidNotice);
            return { code: 'SUCCESS', message: 'OK' };
          },
          { manualTransactions: true },
        ),
      ],
    };
  },
});

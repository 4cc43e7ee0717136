import { ApiError, crudRoutes, type PluginRoute, route } from '#server';
import { channelStatus, payChannel, paymentProblems, payNotice } from '../contract.ts';
import type { Channels } from './channels.ts';
import type { Notices } from './notices.ts';

/** Serves payment channels and the notifications of providers. */
export function channelRoutes(channels: Channels, notices: Notices): PluginRoute[] {
  return [
    crudRoutes(payChannel, channels.rows),
    route(payChannel.enable, ({ input }) => channels.setStatus(input.id, channelStatus.enabled)),
    route(payChannel.disable, ({ input }) => channels.setStatus(input.id, channelStatus.off)),
    route(
      payNotice,
      async ({ input: { raw }, header = () => '' }) => {
        const of = (name: string) => header(`wechatpay-${name}`);
        const notice = { timestamp: of('timestamp'), nonce: of('nonce'), signature: of('signature'), serial: of('serial'), body: raw };
        if (!(await notices.receive(notice))) throw new ApiError(paymentProblems.invalidNotice);
        return { code: 'SUCCESS', message: 'OK' };
      },
      { manualTransactions: true },
    ),
  ];
}

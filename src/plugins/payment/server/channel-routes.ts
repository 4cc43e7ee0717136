import { ApiError, type ServerContext } from '#server';
import { channelStatus, payChannel, paymentProblems, payNotice } from '../contract.ts';
import type { Channels } from './channels.ts';
import type { Notices } from './notices.ts';

/** Serves payment channels and the notifications of providers. */
export function serveChannels({ serve, serveCrud }: Pick<ServerContext, 'serve' | 'serveCrud'>, channels: Channels, notices: Notices): void {
  serveCrud(payChannel, channels.rows);
  serve(payChannel.enable, ({ input }) => channels.switch(input.id, channelStatus.enabled));
  serve(payChannel.disable, ({ input }) => channels.switch(input.id, channelStatus.off));
  serve(
    payNotice,
    async ({ input: { raw }, header = () => '' }) => {
      const of = (name: string) => header(`wechatpay-${name}`);
      const notice = { timestamp: of('timestamp'), nonce: of('nonce'), signature: of('signature'), serial: of('serial'), body: raw };
      if (!(await notices.receive(notice))) throw new ApiError(paymentProblems.forgedNotice);
      return { code: 'SUCCESS', message: 'OK' };
    },
    { manualTransactions: true },
  );
}

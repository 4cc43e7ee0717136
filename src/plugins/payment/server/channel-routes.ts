import { sql } from 'drizzle-orm';
import { Refusal, rowsOf, type ServerContext } from '#server';
import type { Crud } from '#shared/contract';
import { channelStatus, type PayChannel, payChannel, paymentProblems, payNotice } from '../contract.ts';
import type { Channels } from './channels.ts';
import type { Settlement } from './settlement.ts';

/** Setting providers up, and hearing from them. */
export function serveChannels({ serve, serveCrud, db }: Pick<ServerContext, 'serve' | 'serveCrud' | 'db'>, channels: Channels, settlement: Settlement): void {
  serveCrud(payChannel as unknown as Crud<typeof PayChannel>, channels.rows);
  serve(payChannel.enable, async ({ input }) => {
    await channels.switch(input.id, channelStatus.enabled);
    return null;
  });
  serve(payChannel.disable, async ({ input }) => {
    await channels.switch(input.id, channelStatus.off);
    return null;
  });
  serve(
    payNotice,
    async ({ input: { raw }, header = () => '' }) => {
      const of = (name: string) => header(`wechatpay-${name}`);
      const notice = { timestamp: of('timestamp'), nonce: of('nonce'), signature: of('signature'), serial: of('serial'), body: raw };
      for (const { tenantId, gateway } of await channels.signedWith(notice.serial)) {
        const told = await Promise.resolve(notice)
          .then((one) => gateway.read(one))
          .catch(() => undefined);
        if (!told || !(await isOf(db, tenantId, told.payNo))) continue;
        await settlement.settle(tenantId, told);
        return { code: 'SUCCESS', message: 'OK' };
      }
      throw new Refusal(paymentProblems.forgedNotice);
    },
    { ownTransactions: true },
  );
}

async function isOf(db: ServerContext['db'], tenantId: string, payNo: string): Promise<boolean> {
  return (await db.read({ tenantId }, () => rowsOf(db, sql`select from payout where pay_no = ${payNo}`))).length > 0;
}

import type { CallRequest, ServerContext } from '#server';
import { claiming } from '../contract.ts';
import type { Claims } from './claims.ts';
import { refuseOtherClients } from './mini-app.ts';
import { marksOf } from './proof-marks.ts';
import type { QueueNews } from './queue-news.ts';

/** What is seen and done in the mini-app; a picture is read before the transaction that keeps what it is known by. */
export function serveClaims(context: Pick<ServerContext, 'serve' | 'db' | 'parameters' | 'files'>, claims: Claims, news: QueueNews): void {
  const { serve, files } = context;
  serve(claiming.offers, ({ input }) => claims.onOffer(input));
  serve(claiming.details, ({ input }) => claims.detail(input.id));
  serve(claiming.mine, ({ input, principal }) => claims.mine(principal.userId, input));
  serve(claiming.claim, async ({ input, principal }) => {
    await refuseOtherClients(context, principal);
    return claims.claim(principal, input.taskId);
  });
  serve(
    claiming.submit,
    async ({ input, principal, prepared }) => {
      await refuseOtherClients(context, principal);
      news.note(principal.tenantId);
      return claims.submit(principal, input, prepared);
    },
    { prepare: ({ input, principal }: CallRequest<typeof claiming.submit>) => marksOf(files, principal.tenantId, input) },
  );
  serve(claiming.giveUp, async ({ input, principal }) => {
    await refuseOtherClients(context, principal);
    await claims.giveUp(principal, input.id);
    return null;
  });
}

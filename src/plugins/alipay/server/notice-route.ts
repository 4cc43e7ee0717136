import { Readable } from 'node:stream';
import { paymentProblems } from '#plugins/payment/contract';
import type { ProviderPayouts } from '#plugins/payment/server-extension';
import { ApiError, type PluginRoute, route } from '#server';
import { alipayNotice } from '../contract.ts';
import type { Merchants } from './merchants.ts';

/** Alipay expects exactly this text for a notification that was taken. */
const accepted = 'success';

/** Takes the notifications of Alipay. */
export const noticeRoute = (merchants: Merchants, payouts: ProviderPayouts): PluginRoute =>
  route(
    alipayNotice,
    async ({ input: { raw }, header = () => '' }) => {
      const gateways = await merchants.enabledWithApp(new URLSearchParams(raw).get('app_id') ?? '');
      if (!(await payouts.receive(gateways, { body: raw, header }))) throw new ApiError(paymentProblems.invalidNotice);
      return { name: 'reply.txt', type: 'text/plain', size: accepted.length, isPublic: false, content: Readable.from([accepted]) };
    },
    { manualTransactions: true },
  );

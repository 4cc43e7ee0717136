import { defineServerPlugin, Refusal, type ServerPlugin } from '#server';
import { sms, smsDelivery, smsProblems } from '../contract.ts';
import { smsDeliveryMenu, smsMenu } from '../menus.ts';
import { type Ask, askVendor } from './ask.ts';
import { Sending } from './sending.ts';

/** Text messages: who sends them for a tenant, trying that out, and what was sent. */
export const smsPlugin = (ask: Ask): ServerPlugin =>
  defineServerPlugin({
    id: 'sms',
    title: ['短信服务', 'Text messages'],
    menus: [smsMenu, smsDeliveryMenu],

    routes(context) {
      const { serve, serveCrud } = context;
      const sending = new Sending(context, ask);
      const { configurations, deliveries } = sending;
      context.sms.use(sending);

      serveCrud(sms, configurations.rows);
      serve(sms.enable, async ({ input }) => {
        await configurations.enable(input.id);
        return null;
      });
      serve(sms.disable, async ({ input }) => {
        await configurations.disable(input.id);
        return null;
      });
      serve(
        sms.send,
        async ({ input: { code, phones, params }, principal: { tenantId } }) => {
          await sending.deliver({ tenantId, code, phones, params: objectIn(params ?? '{}'), purpose: 'debug' });
          return true as const;
        },
        { ownTransactions: true },
      );
      serve(smsDelivery.list, ({ input }) => deliveries.rows.page(input));
    },
  });

export default smsPlugin(askVendor);

function objectIn(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new Refusal(smsProblems.noJson, {}, { field: 'params' });
}

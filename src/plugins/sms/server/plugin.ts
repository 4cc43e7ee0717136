import { defineServerPlugin, type ServerPlugin } from '#server';
import { sms, smsDelivery, smsParameters, smsTemplate } from '../contract.ts';
import { smsDeliveryMenu, smsMenu, smsTemplateMenu } from '../menus.ts';
import type SmsOptions from '../options.ts';
import { askVendor, type SendVendorRequest } from './ask.ts';
import { enablingStep } from './enabling-step.ts';
import { objectIn } from './object-in.ts';
import { Sending } from './sending.ts';
import { serveValidations } from './serve-validations.ts';

const pruneSeconds = 3600;

/** Text messages: vendors and templates of a tenant, test messages, and the delivery log. */
export const smsPlugin = (ask: SendVendorRequest): ServerPlugin =>
  defineServerPlugin<typeof SmsOptions>({
    id: 'sms',
    title: ['短信服务', 'Text messages'],
    parameterDeclarations: smsParameters,
    menus: [smsMenu, smsTemplateMenu, smsDeliveryMenu],

    routes(context) {
      const { serve, serveCrud, every } = context;
      const sending = new Sending(context, ask);
      const { configurations, deliveries } = sending;
      context.sms.use(sending);
      context.figures.register(enablingStep(context));

      serveCrud(sms, configurations.rows);
      serve(sms.enable, ({ input }) => configurations.enable(input.id));
      serve(sms.disable, ({ input }) => configurations.disable(input.id));
      serve(
        sms.send,
        async ({ input: { code, phones, params }, principal: { tenantId } }) => {
          await sending.deliver({ tenantId, code, phones, params: objectIn(params ?? '{}'), purpose: 'debug' });
          return true as const;
        },
        { manualTransactions: true },
      );
      serveCrud(smsTemplate, configurations.further);
      serve(sms.select, async ({ input: { ids } }) => {
        const chosen = ids?.split(',');
        return (await configurations.rows.list()).filter(({ id }) => !chosen || chosen.includes(id));
      });
      serveValidations(context, sending);
      every(pruneSeconds, () => deliveries.prune());
      serve(smsDelivery.list, ({ input }) => deliveries.rows.page(input));
    },
  });

export default smsPlugin(askVendor);

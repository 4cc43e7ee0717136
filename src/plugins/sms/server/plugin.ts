import { crudRoutes, defineServerPlugin, route, type ServerPlugin } from '#server';
import { sms, smsDelivery, smsParameters, smsTemplate } from '../contract.ts';
import { smsDeliveryMenu, smsMenu, smsTemplateMenu } from '../menus.ts';
import type SmsOptions from '../options.ts';
import { askVendor, type SendVendorRequest } from './ask.ts';
import { enablingStep } from './enabling-step.ts';
import { objectIn } from './object-in.ts';
import { Sending } from './sending.ts';
import { validationRoutes } from './serve-validations.ts';

const pruneSeconds = 3600;

/** Text messages: vendors and templates of a tenant, test messages, and the delivery log. */
export const smsPlugin = (ask: SendVendorRequest): ServerPlugin =>
  defineServerPlugin<typeof SmsOptions>({
    id: 'sms',
    title: ['短信服务', 'Text messages'],
    parameters: smsParameters,
    menus: [smsMenu, smsTemplateMenu, smsDeliveryMenu],

    setup(context) {
      const sending = new Sending(context, ask);
      const { configurations, deliveries } = sending;

      return {
        smsChannels: [sending],
        figures: [enablingStep(context)],
        routes: [
          crudRoutes(sms, configurations.rows),
          route(sms.enable, ({ input }) => configurations.enable(input.id)),
          route(sms.disable, ({ input }) => configurations.disable(input.id)),
          route(
            sms.send,
            async ({ input: { code, phones, params }, principal: { tenantId } }) => {
              await sending.deliver({ tenantId, code, phones, params: objectIn(params ?? '{}'), purpose: 'debug' });
              return true as const;
            },
            { manualTransactions: true },
          ),
          crudRoutes(smsTemplate, configurations.further),
          route(sms.select, async ({ input: { ids } }) => {
            const selected = ids?.split(',');
            return (await configurations.rows.list()).filter(({ id }) => !selected || selected.includes(id));
          }),
          ...validationRoutes(context, sending),
          route(smsDelivery.list, ({ input }) => deliveries.rows.page(input)),
        ],
        tasks: [{ everySeconds: pruneSeconds, run: () => deliveries.prune() }],
      };
    },
  });

export default smsPlugin(askVendor);

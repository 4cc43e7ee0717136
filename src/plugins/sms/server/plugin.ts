import { crudRoutes, defineServerPlugin, route, type ServerPlugin } from '#server';
import { sms, smsDelivery, smsParameters, smsStatus, smsTemplate } from '../contract.ts';
import { smsDeliveryMenu, smsMenu, smsTemplateMenu } from '../menus.ts';
import type SmsOptions from '../options.ts';
import { enablingStep } from './configurations.ts';
import { personalData } from './personal-data.ts';
import { validationRoutes } from './validations.ts';
import { parseParams, VendorChannel } from './vendor-channel.ts';
import { type SendVendorRequest, sendVendorRequest } from './vendors/vendor.ts';

const pruneSeconds = 3600;

/** Text messages: vendors and templates of a tenant, test messages, and the delivery log. */
export const smsPlugin = (send: SendVendorRequest): ServerPlugin =>
  defineServerPlugin<typeof SmsOptions>({
    id: 'sms',
    title: ['短信服务', 'Text messages'],
    parameters: smsParameters,
    personalData,
    menus: [smsMenu, smsTemplateMenu, smsDeliveryMenu],

    setup(context) {
      const channel = new VendorChannel(context, send);
      const { configurations, deliveries } = channel;

      return {
        smsChannels: [channel],
        figures: [enablingStep(context)],
        routes: [
          crudRoutes(sms, configurations.rows, { search: { fields: ['smsCode', 'signName'], subtitle: ['signName'], actions: { sms_edit: true } } }),
          route(sms.enable, ({ input }) => configurations.setStatus(input.id, smsStatus.enabled)),
          route(sms.disable, ({ input }) => configurations.setStatus(input.id, smsStatus.off)),
          route(
            sms.send,
            async ({ input: { code, phones, params }, principal: { tenantId } }) => {
              await channel.deliver({ tenantId, code, phones, params: parseParams(params ?? '{}'), purpose: 'debug' });
              return true as const;
            },
            { manualTransactions: true },
          ),
          crudRoutes(smsTemplate, configurations.templates, { search: { fields: ['templateCode'], subtitle: ['smsId'] } }),
          route(sms.select, async ({ input: { ids } }) => {
            const selected = ids?.split(',');
            return (await configurations.rows.list()).filter(({ id }) => !selected || selected.includes(id));
          }),
          ...validationRoutes(context, channel),
          route(smsDelivery.list, ({ input }) => deliveries.rows.page(input)),
        ],
        tasks: [{ everySeconds: pruneSeconds, run: () => deliveries.prune() }],
      };
    },
  });

export default smsPlugin(sendVendorRequest);

import type { ServerContext } from '#server';
import { type PluginRoute, route } from '#server';
import type { ServerOptions } from '#shared/options';
import { sms } from '../contract.ts';
import type SmsOptions from '../options.ts';
import type { Sending } from './sending.ts';
import { Validations } from './validations.ts';

/** Serves the calls by which applications verify phone numbers. */
export function validationRoutes(context: ServerContext<ServerOptions<typeof SmsOptions>>, sending: Sending): PluginRoute[] {
  const validations = new Validations(context, sending);

  return [
    route(
      sms.sendValidate,
      async ({ input: { code, phone }, principal }) => ({ id: await validations.send(principal, phone, code), phone, value: '', success: true }),
      { manualTransactions: true },
    ),
    route(
      sms.validateMessage,
      async ({ input, principal: { tenantId } }) => {
        await validations.check(tenantId, input);
        return true as const;
      },
      { manualTransactions: true },
    ),
  ];
}

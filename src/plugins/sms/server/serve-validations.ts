import type { ServerContext } from '#server';
import type { ServerOptions } from '#shared/options';
import { sms } from '../contract.ts';
import type SmsOptions from '../options.ts';
import type { Sending } from './sending.ts';
import { Validations } from './validations.ts';

/** Serves the calls by which applications verify phone numbers. */
export function serveValidations(context: ServerContext<ServerOptions<typeof SmsOptions>>, sending: Sending): void {
  const { serve } = context;
  const validations = new Validations(context, sending);
  serve(
    sms.sendValidate,
    async ({ input: { code, phone }, principal }) => ({ id: await validations.send(principal, phone, code), phone, value: '', success: true }),
    { manualTransactions: true },
  );
  serve(
    sms.validateMessage,
    async ({ input, principal: { tenantId } }) => {
      await validations.check(tenantId, input);
      return true as const;
    },
    { manualTransactions: true },
  );
}

import type { ServerContext, SmsTemplate } from '#server';

const alertVariables: ReadonlySet<string> = new Set(['job', 'reason', 'time']);

/** Returns the tenant's SMS templates whose placeholders an alert can fill. */
export async function alertTemplates(sms: ServerContext['sms'], tenantId: string): Promise<SmsTemplate[]> {
  return (await sms.templates(tenantId)).filter(({ params }) => params.every((name) => alertVariables.has(name)));
}

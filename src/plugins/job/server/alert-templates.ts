import type { ServerContext, SmsTemplate } from '#server';

const told: ReadonlySet<string> = new Set(['job', 'reason', 'time']);

/** Text messages of a tenant that ask for nothing an alert does not know. */
export async function alertTemplates(sms: ServerContext['sms'], tenantId: string): Promise<SmsTemplate[]> {
  return (await sms.templates(tenantId)).filter(({ params }) => params.every((name) => told.has(name)));
}

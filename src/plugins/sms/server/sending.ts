import { randomUUID } from 'node:crypto';
import { Refusal, type ServerContext, SmsChannel, type SmsMessage, type SmsNotice, type SmsTemplate } from '#server';
import { smsProblems, vendors } from '../contract.ts';
import type { Ask } from './ask.ts';
import { Configurations, type Opened } from './configurations.ts';
import { Deliveries, type Purpose } from './deliveries.ts';
import { aliyun } from './vendors/aliyun.ts';
import { qiniu } from './vendors/qiniu.ts';
import { tencent } from './vendors/tencent.ts';
import type { Message, Told, Vendor } from './vendors/vendor.ts';
import { yunpian } from './vendors/yunpian.ts';

const speaking: Readonly<Record<string, Vendor>> = {
  [vendors.yunpian]: yunpian,
  [vendors.qiniu]: qiniu,
  [vendors.aliyun]: aliyun,
  [vendors.tencent]: tencent,
};

/** Why there was nothing to read, by the name of the error. */
const silences: Readonly<Record<string, string>> = { TimeoutError: 'timed out', SyntaxError: 'no JSON' };

/** Text messages of a tenant, by what its administrators have set up. */
export interface Wanted {
  readonly tenantId: string;
  readonly code?: string | null | undefined;
  readonly phones: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly purpose: Purpose;
}

/** Sends by vendors and notes what became of it. Opens transactions of its own: nothing is held while a vendor is waited for. */
export class Sending extends SmsChannel {
  readonly configurations: Configurations;
  readonly deliveries: Deliveries;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters'>,
    private readonly ask: Ask,
  ) {
    super();
    this.configurations = new Configurations(context.db);
    this.deliveries = new Deliveries(context);
  }

  serves(tenantId: string): Promise<boolean> {
    return this.context.db.read({ tenantId }, () => this.configurations.isEnabled());
  }

  async send({ tenantId, phone, code, minutes }: SmsMessage): Promise<void> {
    await this.deliver({ tenantId, phones: [phone], params: { code, minutes }, purpose: 'code' });
  }

  templates(tenantId: string): Promise<SmsTemplate[]> {
    return this.context.db.read({ tenantId }, () => this.configurations.templates());
  }

  async notify({ tenantId, template, phones, params }: SmsNotice): Promise<void> {
    await this.deliver({ tenantId, code: template, phones, params, purpose: 'notice' });
  }

  /** Throws what the vendor said against it. */
  async deliver({ tenantId, code, phones, params, purpose }: Wanted): Promise<void> {
    const { db } = this.context;
    const { message, vendor, begun } = await db.write({ tenantId }, async () => {
      const opened = await this.configurations.opened(code);
      const ready = messageOf(opened, phones, params);
      if (purpose === 'debug') await this.deliveries.mustNotBeTooMany(phones);
      const known = speaking[opened.category];
      if (!known) throw new Refusal(smsProblems.notSent, { reason: opened.category });
      return { message: ready, vendor: known, begun: await this.deliveries.begin(opened, phones, purpose) };
    });
    const told = await this.told(vendor, message);
    await db.write({ tenantId }, () => this.deliveries.end(begun, told));
    if ('reason' in told) throw new Refusal(smsProblems.notSent, { reason: told.reason.trim() || '-' });
  }

  private async told(vendor: Vendor, message: Message): Promise<Told> {
    const asking = vendor.request(message, { now: Date.now(), nonce: randomUUID() });
    try {
      return vendor.read(await this.ask(asking));
    } catch (error) {
      // Nothing more of the request is told: its body may hold a key.
      return { reason: `${new URL(asking.url).host}: ${(error instanceof Error && silences[error.name]) || 'no answer'}` };
    }
  }
}

function messageOf(opened: Opened, phones: readonly string[], given: Wanted['params']): Message {
  const { accessKey, secretKey, appId, regionId, signName, templateId, templateParams } = opened;
  const params = (templateParams ?? ['code']).map((name) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null || value === '') throw new Refusal(smsProblems.lacksParam, { name }, { field: 'params' });
    return [name, String(value)] as const;
  });
  return { phones, accessKey, secretKey, appId: appId ?? '', regionId: regionId ?? '', signName, templateId, params };
}

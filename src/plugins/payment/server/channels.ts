import { createPrivateKey } from 'node:crypto';
import { and, eq, ne, sql } from 'drizzle-orm';
import { ApiError, notDeleted, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { FormOf } from '#shared/contract';
import { channelStatus, PayChannel, type PayChannelRow, Payout, paymentProblems, payoutStates } from '../contract.ts';
import type { GatewayFor } from './dispatcher.ts';
import type { ProvidersOf } from './reconciliations.ts';
import { SandboxGateway } from './sandbox-gateway.ts';
import { payoutState } from './states.ts';
import { gatewayName, WechatGateway } from './wechat-gateway.ts';
import { pemOf, readPublicKey } from './wechat-signing.ts';

const payouts = tableOf(Payout);

/** Payment channels of tenants. */
export class Channels {
  readonly rows: Repository<typeof PayChannel>;

  constructor(
    private readonly db: ServerContext['db'],
    /** Address of WeChat Pay. */
    private readonly address: string,
  ) {
    this.rows = repositoryOf(db, PayChannel, {
      beforeSave: async (form, before) => {
        refuseWrongKeys(form);
        if (!before) return;
        refuseOtherMerchant(form, before);
        if (before.status === channelStatus.enabled && (await this.replacesKeys(form, before))) await this.turnOff(before.id);
      },
      beforeRemove: async (rows) => {
        for (const row of rows) {
          if (row.status === channelStatus.enabled) throw new ApiError(paymentProblems.isEnabled);
          await this.refuseOpenBills(row);
        }
      },
    });
  }

  /** Disables the others first, so that two are never enabled. */
  async switch(id: string, status: (typeof channelStatus)[keyof typeof channelStatus]): Promise<void> {
    await this.db.lock('enabled payment providers');
    await this.rows.detail(id);
    const { off, enabled } = channelStatus;
    const { table } = this.rows;
    const others = and(eq(table.status, enabled), ne(table.id, id), notDeleted(table));
    if (status === enabled) await this.db.sql.update(table).set({ status: off }).where(others);
    await this.db.sql.update(table).set({ status }).where(eq(table.id, id));
    if (status === enabled) await this.db.sql.execute(sql`update payout set next_try = now() where state = ${payoutStates.underWay} and gateway = ''`);
  }

  /** Refuses payments when no channel would send them. */
  async assertChannel(): Promise<void> {
    if (!(await this.rows.find({ status: channelStatus.enabled })) && (await this.hasHadOne())) throw new ApiError(paymentProblems.noChannel);
  }

  /** Returns the channel a payout was sent through, otherwise the enabled one; the sandbox for tenants that never had a channel. Throws when all are disabled. */
  readonly choose: GatewayFor = (tenantId, sentBy) =>
    this.db.read({ tenantId }, async () => {
      const [, id] = /^wechat:(\d+)$/.exec(sentBy) ?? [];
      const row = sentBy === 'sandbox' ? undefined : await this.rows.find(id ? { id } : { status: channelStatus.enabled });
      if (id && !row) throw new Error(`the provider of this bill no longer exists: ${id}`);
      if (!row && sentBy !== 'sandbox' && (await this.hasHadOne())) throw new ApiError(paymentProblems.noChannel);
      return row ? this.opened(row) : new SandboxGateway(this.db, tenantId);
    });

  /** Returns the providers that may have paid on a day: each merchant that is enabled or has payouts from the month before it, once, and the sandbox. */
  readonly thatPaid: ProvidersOf = (tenantId, day) =>
    this.db.read({ tenantId }, async () => {
      const { id, status } = this.rows.table;
      const sent = sql`select from payout p where p.gateway = 'wechat:' || ${id} and p.create_time >= ${day}::date - 31`;
      const merchants = new Map((await this.rows.list(sql`${status} = ${channelStatus.enabled} or exists (${sent})`)).map((row) => [row.mchId, row]));
      return [new SandboxGateway(this.db, tenantId), ...(await Promise.all([...merchants.values()].map((row) => this.opened(row))))];
    });

  /** Returns enabled channels of all tenants with sent payouts whose provider signs with this key. Payouts of disabled channels are polled instead. */
  async signedWith(keyId: string): Promise<{ tenantId: string; gateway: WechatGateway }[]> {
    const found = await this.db.asPlatform('finds the tenant of a notification by its key', () =>
      queryRows<{ id: string; tenantId: string }>(
        this.db,
        sql`select c.id::text as id, c.tenant_id as "tenantId" from pay_channel c where c.public_key_id = ${keyId} and c.status = ${channelStatus.enabled} and c.is_deleted = 0
              and exists (select from payout p where p.tenant_id = c.tenant_id and p.gateway = 'wechat:' || c.id)
            order by c.id limit 50`,
      ),
    );
    return Promise.all(
      found.map(async ({ id, tenantId }) => ({
        tenantId,
        gateway: await this.db.read({ tenantId }, async () => this.opened(await this.rows.detail(id))),
      })),
    );
  }

  /** Deleted channels count too: disabling or deleting the last one must not switch to the sandbox, which would pay in name only. */
  private async hasHadOne(): Promise<boolean> {
    return (await this.db.sql.select({ id: this.rows.table.id }).from(this.rows.table).limit(1)).length > 0;
  }

  private async replacesKeys(form: Partial<FormOf<typeof PayChannel>>, before: PayChannelRow): Promise<boolean> {
    for (const field of ['serialNo', 'publicKeyId', 'publicKey'] as const) if (form[field] !== undefined && form[field] !== before[field]) return true;
    for (const field of ['privateKey', 'apiV3Key'] as const) {
      const newValue = form[field];
      if (newValue && newValue !== (await this.rows.decrypt(before.id, field))) return true;
    }
    return false;
  }

  /** Disables a changed channel until a user with the permission to enable it has reviewed it. */
  private async turnOff(id: string): Promise<void> {
    await this.db.sql.update(this.rows.table).set({ status: channelStatus.off }).where(eq(this.rows.table.id, id));
  }

  private async opened(row: PayChannelRow): Promise<WechatGateway> {
    const privateKey = pemOf((await this.rows.decrypt(row.id, 'privateKey')) ?? '');
    return new WechatGateway(
      { ...row, publicKey: pemOf(row.publicKey), privateKey, apiV3Key: (await this.rows.decrypt(row.id, 'apiV3Key')) ?? '' },
      this.address,
    );
  }

  private async refuseOpenBills({ id }: PayChannelRow): Promise<void> {
    const { gateway, state } = payouts;
    const isOpen = sql`${state} in (${payoutState.awaiting}, ${payoutState.underWay})`;
    const count = await this.db.sql.$count(payouts, and(eq(gateway, gatewayName(id)), isOpen));
    if (count > 0) throw new ApiError(paymentProblems.hasOpenBills, { count });
  }
}

/** Sent payouts are queried through this row: another merchant would not know them, and they would be sent and paid again. */
function refuseOtherMerchant(form: Partial<FormOf<typeof PayChannel>>, before: PayChannelRow): void {
  for (const field of ['mchId', 'appId'] as const)
    if (form[field] !== undefined && form[field] !== before[field]) throw new ApiError(paymentProblems.anotherMerchant, {}, { field });
}

function refuseWrongKeys({ privateKey, apiV3Key, publicKey }: Partial<FormOf<typeof PayChannel>>): void {
  if (privateKey && !reads(() => createPrivateKey(pemOf(privateKey)).asymmetricKeyType))
    throw new ApiError(paymentProblems.wrongPrivateKey, {}, { field: 'privateKey' });
  if (publicKey && !reads(() => readPublicKey(pemOf(publicKey)).asymmetricKeyType))
    throw new ApiError(paymentProblems.wrongPublicKey, {}, { field: 'publicKey' });
  if (apiV3Key && Buffer.byteLength(apiV3Key) !== 32) throw new ApiError(paymentProblems.wrongApiKey, {}, { field: 'apiV3Key' });
}

function reads(type: () => string | undefined): boolean {
  try {
    return type() === 'rsa';
  } catch {
    return false;
  }
}

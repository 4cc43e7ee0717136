import { createPrivateKey } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { ApiError, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { FormOf } from '#shared/contract';
import { channelStatus, PayChannel, type PayChannelRow, Payout, paymentProblems, payoutStates } from '../contract.ts';
import type { ResolveGateway } from './dispatcher.ts';
import type { StatementGateways } from './reconciliations.ts';
import { SandboxGateway } from './sandbox-gateway.ts';
import { payoutStateSql } from './states.ts';
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
        assertValidKeys(form);
        if (!before) return;
        assertSameMerchant(form, before);
        if (before.status === channelStatus.enabled && (await this.replacesKeys(form, before))) await this.disable(before.id);
      },
      beforeRemove: async (rows) => {
        for (const row of rows) {
          if (row.status === channelStatus.enabled) throw new ApiError(paymentProblems.channelEnabled);
          await this.assertNoOpenPayouts(row);
        }
      },
    });
  }

  /** Enables or disables a channel; at most one is enabled. */
  async setStatus(id: string, status: (typeof channelStatus)[keyof typeof channelStatus]): Promise<void> {
    await this.db.lock('enabled payment providers');
    await this.rows.detail(id);
    await this.rows.setSingleStatus(id, status, channelStatus);
    if (status === channelStatus.enabled)
      await this.db.sql.execute(sql`update payout set next_try = now() where state = ${payoutStates.processing} and gateway = ''`);
  }

  /** Refuses payments when no channel would send them. */
  async assertChannel(): Promise<void> {
    if (!(await this.rows.find({ status: channelStatus.enabled })) && (await this.hasEverExisted())) throw new ApiError(paymentProblems.noChannel);
  }

  /** Returns the channel a payout was sent through, otherwise the enabled one; the sandbox for tenants that never had a channel. Throws when all are disabled. */
  readonly resolveGateway: ResolveGateway = (tenantId, sentBy) =>
    this.db.read({ tenantId }, async () => {
      const [, id] = /^wechat:(\d+)$/.exec(sentBy) ?? [];
      const row = sentBy === 'sandbox' ? undefined : await this.rows.find(id ? { id } : { status: channelStatus.enabled });
      if (id && !row) throw new Error(`the provider of this bill no longer exists: ${id}`);
      if (!row && sentBy !== 'sandbox' && (await this.hasEverExisted())) throw new ApiError(paymentProblems.noChannel);
      return row ? this.createGateway(row) : new SandboxGateway(this.db, tenantId);
    });

  /** Returns the providers that may have paid on a day: each merchant that is enabled or has payouts from the month before it, once, and the sandbox. */
  readonly statementGateways: StatementGateways = (tenantId, day) =>
    this.db.read({ tenantId }, async () => {
      const { id, status } = this.rows.table;
      const sent = sql`select from payout p where p.gateway = 'wechat:' || ${id} and p.create_time >= ${day}::date - 31`;
      const merchants = new Map((await this.rows.list(sql`${status} = ${channelStatus.enabled} or exists (${sent})`)).map((row) => [row.mchId, row]));
      return [new SandboxGateway(this.db, tenantId), ...(await Promise.all([...merchants.values()].map((row) => this.createGateway(row))))];
    });

  /** Returns enabled channels of all tenants with sent payouts whose provider signs with this key. Payouts of disabled channels are polled instead. */
  async enabledWithKey(keyId: string): Promise<{ tenantId: string; gateway: WechatGateway }[]> {
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
        gateway: await this.db.read({ tenantId }, async () => this.createGateway(await this.rows.detail(id))),
      })),
    );
  }

  /** Deleted channels count too: disabling or deleting the last one must not switch to the sandbox, which would pay in name only. */
  private async hasEverExisted(): Promise<boolean> {
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
  private async disable(id: string): Promise<void> {
    await this.rows.setSingleStatus(id, channelStatus.off, channelStatus);
  }

  private async createGateway(row: PayChannelRow): Promise<WechatGateway> {
    const privateKey = pemOf((await this.rows.decrypt(row.id, 'privateKey')) ?? '');
    return new WechatGateway(
      { ...row, publicKey: pemOf(row.publicKey), privateKey, apiV3Key: (await this.rows.decrypt(row.id, 'apiV3Key')) ?? '' },
      this.address,
    );
  }

  private async assertNoOpenPayouts({ id }: PayChannelRow): Promise<void> {
    const { gateway, state } = payouts;
    const isOpen = sql`${state} in (${payoutStateSql.awaiting}, ${payoutStateSql.processing})`;
    const count = await this.db.sql.$count(payouts, and(eq(gateway, gatewayName(id)), isOpen));
    if (count > 0) throw new ApiError(paymentProblems.hasOpenPayouts, { count });
  }
}

/** Sent payouts are queried through this row: another merchant would not know them, and they would be sent and paid again. */
function assertSameMerchant(form: Partial<FormOf<typeof PayChannel>>, before: PayChannelRow): void {
  for (const field of ['mchId', 'appId'] as const)
    if (form[field] !== undefined && form[field] !== before[field]) throw new ApiError(paymentProblems.merchantChanged, {}, { field });
}

function assertValidKeys({ privateKey, apiV3Key, publicKey }: Partial<FormOf<typeof PayChannel>>): void {
  if (privateKey && !isRsaKey(() => createPrivateKey(pemOf(privateKey)).asymmetricKeyType))
    throw new ApiError(paymentProblems.wrongPrivateKey, {}, { field: 'privateKey' });
  if (publicKey && !isRsaKey(() => readPublicKey(pemOf(publicKey)).asymmetricKeyType))
    throw new ApiError(paymentProblems.wrongPublicKey, {}, { field: 'publicKey' });
  if (apiV3Key && Buffer.byteLength(apiV3Key) !== 32) throw new ApiError(paymentProblems.wrongApiKey, {}, { field: 'apiV3Key' });
}

function isRsaKey(keyType: () => string | undefined): boolean {
  try {
    return keyType() === 'rsa';
  } catch {
    return false;
  }
}

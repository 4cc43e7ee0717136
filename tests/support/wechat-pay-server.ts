import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin';

/**
 * Fault of a request: the bill is accepted and the connection dropped, there is no reply, the server fails, the bill is refused, or the reply is signed by another
 * key.
 */
export type Trouble = 'dropped' | 'hangs' | 'fails' | 'refuses' | 'forged';

/** Fault of all transfers of an amount: this reply, although the order may have been taken. */
export interface WechatFault {
  readonly status: number;
  readonly code: string;
  readonly takes?: boolean;
}

/** Keys that an attacker encrypts a notification with, and its age in seconds. */
interface Seal {
  readonly serial?: string;
  readonly apiV3Key?: string;
  readonly age?: number;
}

interface Bill {
  out_bill_no: string;
  transfer_bill_no: string;
  state: string;
  transfer_amount: number;
  openid: string;
  name?: string | undefined;
  notify_url?: string | undefined;
  fail_reason?: string | undefined;
  paidOut: number;
}

/** Formats a bill as in the provider's documentation: a backtick before each value, and sums at the end. */
function fundBillOf(rows: readonly (readonly string[])[]): string {
  const head = '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号';
  const told = rows.map((row) => row.map((value) => `\`${value}`).join(','));
  return `\uFEFF${[head, ...told, '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额', `\`${rows.length},\`0,\`0.00,\`${rows.length},\`0.00`].join('\r\n')}\r\n`;
}

const pem = (name: 'own' | 'theirs' | 'forger') =>
  ({
    name,
    ...generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  }) as const;

/**
 * Merchant transfers of WeChat Pay as documented, on this machine: it verifies every signature, signs its replies, and pays a bill once. Its signatures and its
 * encryption are those of an SDK for WeChat Pay that knows nothing of the product.
 */
export class WechatPayServer {
  readonly merchant = pem('own');
  readonly bills = new Map<string, Bill>();
  /** Number of requests rejected for their signature. */
  unsigned = 0;
  /** Rows of the fund bill by day and account, `2026-01-31 BASIC`, in the order of its columns. */
  readonly fundBills = new Map<string, (readonly string[])[]>();
  /** File that is sent instead of the announced one. */
  falseFile: string | undefined;
  /** Number of requests about transfers, answered or not. */
  asked = 0;
  /** True to pay bills at once, false to wait for the payee. */
  paysAtOnce = false;
  awaitsPayee = false;
  /** True to drop every connection. */
  isDown = false;
  readonly troubles: (Trouble | undefined)[] = [];
  /** Faults of all transfers of an amount in 分. */
  readonly faults = new Map<number, WechatFault>();
  /** Bills that a query does not find, because they are still being accepted or are forgotten. */
  readonly hidden = new Set<string>();
  /** Requests about each bill, with the bodies of transfers. */
  readonly calls = new Map<string, string[]>();
  /** Replies to transfers wait for this. */
  readonly held = new Map<string, Promise<void>>();
  private readonly own = pem('theirs');
  private readonly forger = pem('forger');
  readonly mchId = '1900001109';
  readonly publicKeyId = 'PUB_KEY_ID_0119000011092024';
  readonly apiV3Key = randomBytes(16).toString('hex');
  private readonly server = createServer((request, response) => void this.answer(request, response));

  /** Returns the form of a configuration of this merchant. */
  channel() {
    const { mchId, apiV3Key, publicKeyId, publicKey } = this;
    const scene = { sceneId: '1005', jobTitle: '内容推广员', rewardNote: '任务酬劳' };
    const keys = { serialNo: '5157F09EFDC096DE15EBE81A47057A72', privateKey: this.merchant.privateKey, apiV3Key, publicKeyId, publicKey };
    return { name: '主商户', mchId, appId: 'wx8888888888888888', ...keys, ...scene };
  }

  /** Key that an attacker signs with. */
  get forgersKey(): string {
    return this.forger.publicKey;
  }

  get publicKey(): string {
    return this.own.publicKey;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Sets the final state of the bill. */
  end(payNo: string, state = 'SUCCESS', failReason?: string): void {
    const bill = this.bills.get(payNo);
    if (!bill || bill.paidOut > 0) return;
    bill.state = state;
    bill.fail_reason = failReason;
    bill.paidOut = state === 'SUCCESS' ? bill.transfer_amount : 0;
  }

  /** Returns the headers and the body that are sent to the notification URL of a bill. */
  notice(
    payNo: string,
    changes: Readonly<Record<string, unknown>> = {},
    by: 'own' | 'forger' = 'own',
    seal: Seal = {},
  ): { headers: Record<string, string>; body: string } {
    const { paidOut: _, notify_url: __, ...bill } = { ...(this.bills.get(payNo) as Bill), ...changes };
    const nonce = randomBytes(6).toString('hex');
    const content = JSON.stringify({ mch_id: this.mchId, ...bill });
    const resource = {
      original_type: 'mch_payment',
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: Aes.AesGcm.encrypt(content, seal.apiV3Key ?? this.apiV3Key, nonce, 'mch_payment'),
      associated_data: 'mch_payment',
      nonce,
    };
    const body = JSON.stringify({ id: randomBytes(8).toString('hex'), event_type: 'MCHTRANSFER.BILL.FINISHED', resource_type: 'encrypt-resource', resource });
    return { body, headers: { 'content-type': 'application/json', ...this.signed(body, by === 'own' ? this.own.privateKey : this.forger.privateKey, seal) } };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const path = request.url ?? '';
    if (!this.isSigned(request, path, body)) {
      this.unsigned += 1;
      return this.send(response, 401, { code: 'SIGN_ERROR', message: 'invalid signature' });
    }
    if (path.startsWith('/v3/bill')) return this.answerBill(new URL(path, 'http://localhost'), response, request.headers.host);
    this.asked += 1;
    if (this.isDown) return void request.socket.destroy();
    const trouble = request.method === 'POST' ? this.troubles.shift() : undefined;
    if (trouble === 'fails') return this.send(response, 500, { code: 'SYSTEM_ERROR', message: 'try again' });
    if (trouble === 'refuses') return this.send(response, 400, { code: 'PARAM_ERROR', message: 'wrong openid' });
    const order = request.method === 'POST' ? JSON.parse(body) : undefined;
    const payNo = order ? order.out_bill_no : path.slice(path.lastIndexOf('/') + 1);
    this.calls.set(payNo, [...(this.calls.get(payNo) ?? []), order ? `transfer ${body}` : 'query']);
    const fault = order && this.faults.get(order.transfer_amount);
    if (order && (!fault || fault.takes)) this.take(order);
    const bill = !order && this.hidden.has(payNo) ? undefined : this.bills.get(payNo);
    const reply = bill && { ...bill, paidOut: undefined, notify_url: undefined };
    if (order) await this.held.get(payNo);
    if (fault) return this.send(response, fault.status, { code: fault.code, message: `说明 of ${fault.code}` });
    if (trouble === 'dropped') return void request.socket.destroy();
    if (trouble === 'hangs') return;
    if (!reply) return this.send(response, 404, { code: 'NOT_FOUND', message: 'no such bill' });
    // Only the reply to the transfer request contains what the payee needs, not the reply to a query.
    const package_info = order && reply.state === 'WAIT_USER_CONFIRM' ? `package-of-${payNo}` : undefined;
    this.send(response, 200, { ...reply, package_info }, trouble === 'forged' ? this.forger.privateKey : undefined);
  }

  /** Announces a fund bill, whose file is downloaded from the announced address without a signature. */
  private answerBill({ pathname, searchParams }: URL, response: ServerResponse, host = ''): void {
    const name = searchParams.get('token') ?? `${searchParams.get('bill_date')} ${searchParams.get('account_type')}`;
    const rows = this.fundBills.get(name);
    if (!rows) return void this.send(response, 400, { code: 'NO_STATEMENT_EXIST', message: 'no bill of this day' });
    const file = fundBillOf(rows);
    if (pathname === '/v3/billdownload/file') return void response.writeHead(200).end(this.falseFile ?? file);
    const hash_value = createHash('sha1').update(file).digest('hex');
    this.send(response, 200, { hash_type: 'SHA1', hash_value, download_url: `http://${host}/v3/billdownload/file?token=${encodeURIComponent(name)}` });
  }

  private take(order: Record<string, unknown>): void {
    const { out_bill_no, transfer_amount, openid, user_name, notify_url } = order as {
      [Name in 'out_bill_no' | 'openid' | 'user_name' | 'notify_url']: string;
    } & {
      transfer_amount: number;
    };
    if (this.bills.has(out_bill_no)) return;
    const name = user_name && Rsa.decrypt(user_name, this.own.privateKey);
    const transfer_bill_no = `1330000${this.bills.size}`;
    const state = this.paysAtOnce ? 'SUCCESS' : this.awaitsPayee ? 'WAIT_USER_CONFIRM' : 'ACCEPTED';
    const paidOut = this.paysAtOnce ? transfer_amount : 0;
    this.bills.set(out_bill_no, { out_bill_no, transfer_bill_no, state, transfer_amount, openid, name, notify_url, paidOut });
  }

  private isSigned({ method = '', headers: { authorization = '' } }: IncomingMessage, path: string, body: string): boolean {
    const said = Object.fromEntries([...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    const { timestamp = '', nonce_str: nonce = '', signature = '' } = said;
    const holds = Rsa.verify(Formatter.request(method, path, timestamp, nonce, body), signature, this.merchant.publicKey);
    return (
      holds && authorization.startsWith('WECHATPAY2-SHA256-RSA2048 ') && said.mchid === this.mchId && said.serial_no === '5157F09EFDC096DE15EBE81A47057A72'
    );
  }

  private send(response: ServerResponse, status: number, answer: object, key = this.own.privateKey): void {
    const body = JSON.stringify(answer);
    response.writeHead(status, { 'content-type': 'application/json', ...this.signed(body, key) }).end(body);
  }

  private signed(body: string, key: string, { serial = this.publicKeyId, age = 0 }: Seal = {}): Record<string, string> {
    const [timestamp, nonce] = [String(Formatter.timestamp() - age), Formatter.nonce()];
    const signature = Rsa.sign(Formatter.response(timestamp, nonce, body), key);
    return { 'wechatpay-timestamp': timestamp, 'wechatpay-nonce': nonce, 'wechatpay-signature': signature, 'wechatpay-serial': serial };
  }
}

import { createHash } from 'node:crypto';
import { type BillLine, GatewayRefusal, type Order, PaymentGateway, type Told } from './gateway.ts';
import { transfersIn } from './wechat-bill.ts';
import { reported } from './wechat-scene.ts';
import { authorization, type Keys, opened, type Sealed, type Signed, sealedFor, Unverified, verify } from './wechat-signing.ts';

/** A merchant as it is set up. */
export interface Merchant extends Keys {
  readonly id: string;
  readonly appId: string;
  readonly notifyUrl: string | null;
  readonly sceneId: string;
  readonly jobTitle: string;
  readonly rewardNote: string;
}

const bills = '/v3/fund-app/mch-transfer/transfer-bills';
const fundBill = '/v3/bill/fundflowbill';
/** Transfers are paid from either. */
const fundAccounts = ['BASIC', 'OPERATION'] as const;
const patience = 10_000;
const filePatience = 60_000;
/** From here on, in 分, the payee is named. */
const namedFrom = 200_000;
const awaitsPayee = 'WAIT_USER_CONFIRM';
const outcomes: Readonly<Record<string, Told['outcome']>> = { SUCCESS: 'paid', FAIL: 'failed', CANCELLED: 'failed' };
/** Answers after which asking again with the same order is in vain. */
const vain = new Set(['PARAM_ERROR', 'INVALID_REQUEST', 'NO_AUTH']);

interface Bill {
  readonly out_bill_no: string;
  readonly transfer_bill_no?: string;
  readonly state: string;
  readonly transfer_amount?: number;
  readonly fail_reason?: string;
  readonly package_info?: string;
}

/** A bill, a file to be fetched or what is wrong. */
interface Answer extends Partial<Bill> {
  readonly code?: string;
  readonly message?: string;
  readonly download_url?: string;
  readonly hash_value?: string;
}

/** The way of a payout's bill at the provider: `wechat:` and the id of the merchant. */
export const gatewayName = (id: string) => `wechat:${id}`;

/** WeChat Pay, merchant transfers of API v3. Whatever it answers is believed for its signature alone. */
export class WechatGateway extends PaymentGateway {
  readonly name: string;

  constructor(
    private readonly merchant: Merchant,
    private readonly address: string,
  ) {
    super();
    this.name = gatewayName(merchant.id);
  }

  async transfer({ payNo, openid, amount, remark, payee }: Order): Promise<Told> {
    const { appId, notifyUrl, sceneId, jobTitle, rewardNote } = this.merchant;
    const order = {
      appid: appId,
      out_bill_no: payNo,
      transfer_scene_id: sceneId,
      openid,
      transfer_amount: amount,
      transfer_remark: remark.slice(0, 32),
      ...(amount >= namedFrom ? { user_name: sealedFor(this.merchant, payee) } : {}),
      ...(notifyUrl ? { notify_url: notifyUrl } : {}),
      transfer_scene_report_infos: [
        { info_type: reported.job, info_content: jobTitle },
        { info_type: reported.reward, info_content: rewardNote },
      ],
    };
    const { status, answer } = await this.ask('POST', bills, JSON.stringify(order));
    if (status === 200) return toldOf(answer as Bill);
    throw vain.has(answer.code ?? '') ? new GatewayRefusal(saying(answer)) : new Error(saying(answer));
  }

  async query(payNo: string): Promise<Told | undefined> {
    const { status, answer } = await this.ask('GET', `${bills}/out-bill-no/${payNo}`, '');
    if (status === 200) return toldOf(answer as Bill);
    if (status === 404 && answer.code === 'NOT_FOUND') return undefined;
    throw new Error(saying(answer));
  }

  /** What a notice says; throws `Unverified` for one that is not the provider's. */
  read(notice: Signed): Told {
    verify(this.merchant, notice);
    const { resource } = JSON.parse(notice.body) as { resource?: Sealed };
    if (!resource) throw new Unverified('there is nothing in it');
    return toldOf(JSON.parse(opened(this.merchant, resource)) as Bill);
  }

  async bill(day: string): Promise<BillLine[]> {
    const files = await Promise.all(fundAccounts.map((account) => this.fundBill(day, account)));
    return files.flatMap((text) => (text === undefined ? [] : transfersIn(text)));
  }

  /** Nothing where nothing was moved on that day. */
  private async fundBill(day: string, account: string): Promise<string | undefined> {
    const { status, answer } = await this.ask('GET', `${fundBill}?bill_date=${day}&account_type=${account}`, '');
    if (answer.code === 'NO_STATEMENT_EXIST') return undefined;
    const { download_url: link, hash_value: hash = '' } = answer;
    if (status !== 200 || !link) throw new Error(saying(answer));
    return this.download(new URL(link), hash);
  }

  /** A file bears no signature: it is what the signed answer before it has said it is. */
  private async download({ origin, pathname, search }: URL, hash: string): Promise<string> {
    if (origin !== new URL(this.address).origin) throw new Error(`a bill is not fetched from ${origin}`);
    const reply = await fetch(this.address + pathname + search, {
      headers: { authorization: authorization(this.merchant, 'GET', pathname + search, ''), 'user-agent': 'marquee' },
      redirect: 'error',
      signal: AbortSignal.timeout(filePatience),
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (reply.status !== 200) throw new Error(`the bill was not sent: ${reply.status}`);
    if (createHash('sha1').update(bytes).digest('hex') !== hash.toLowerCase()) throw new Error('the bill is not what was announced');
    return bytes.toString('utf8');
  }

  private async ask(method: 'GET' | 'POST', path: string, body: string) {
    const reply = await fetch(this.address + path, {
      method,
      headers: {
        accept: 'application/json',
        authorization: authorization(this.merchant, method, path, body),
        'user-agent': 'marquee',
        'wechatpay-serial': this.merchant.publicKeyId,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
      ...(body ? { body } : {}),
    });
    const text = await reply.text();
    const header = (name: string) => reply.headers.get(`wechatpay-${name}`) ?? '';
    verify(this.merchant, { timestamp: header('timestamp'), nonce: header('nonce'), signature: header('signature'), serial: header('serial'), body: text });
    return { status: reply.status, answer: JSON.parse(text) as Answer };
  }
}

const saying = ({ code = '', message = '' }: { readonly code?: string; readonly message?: string }) => `${code} ${message}`.trim();

function toldOf(bill: Bill): Told {
  const { out_bill_no: payNo, state, transfer_bill_no: providerNo, transfer_amount: amount, fail_reason: reason, package_info: packageInfo } = bill;
  return { payNo, outcome: outcomes[state] ?? 'underWay', state, providerNo, amount, reason, packageInfo, awaitsPayee: state === awaitsPayee };
}

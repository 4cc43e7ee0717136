import { createHash } from 'node:crypto';
import { accountKinds } from '#plugins/payment/contract';
import {
  type GatewayTerms,
  InvalidSignatureError,
  PaymentGateway,
  type ProviderNotice,
  type SignedNotice,
  type StatementLine,
  TransferRejectedError,
  type TransferRequest,
  type TransferResult,
} from '#plugins/payment/server-extension';
import { describeFailure, isFinalError } from './wechat-errors.ts';
import { authorization, decrypt, type EncryptedContent, encryptFor, verify, type WechatKeys } from './wechat-signing.ts';
import { fundBill, reportFields } from './wechat-terms.ts';

const { columns, summary, expense, transfer, fee } = fundBill;
const payNoPattern = /^P\d{10,}$/;

/** Keys and terms of a configured merchant. */
export interface WechatCredentials extends WechatKeys, Pick<GatewayTerms, 'minAmount' | 'maxAmount' | 'feeRate' | 'feeFixed' | 'priority'> {
  readonly id: string;
  readonly appId: string;
  readonly notifyUrl: string | null;
  readonly sceneId: string;
  readonly jobTitle: string;
  readonly rewardNote: string;
}

const transferPath = '/v3/fund-app/mch-transfer/transfer-bills';
const fundBillPath = '/v3/bill/fundflowbill';
/** Transfers can be paid from either account. */
const fundAccounts = ['BASIC', 'OPERATION'] as const;
const timeoutMs = 10_000;
const downloadTimeoutMs = 60_000;
/** Amount in 分 from which WeChat Pay requires the payee's name. */
const nameRequiredFrom = 200_000;
const awaitsPayee = 'WAIT_USER_CONFIRM';
const outcomes: Readonly<Record<string, TransferResult['outcome']>> = { SUCCESS: 'paid', FAIL: 'failed', CANCELLED: 'failed' };

interface TransferBill {
  readonly out_bill_no: string;
  readonly transfer_bill_no?: string;
  readonly state: string;
  readonly mch_id?: string;
  readonly appid?: string;
  readonly transfer_amount?: number;
  readonly fail_reason?: string;
  readonly package_info?: string;
}

/** Response with a transfer, a file to download or an error. */
interface ResponseBody extends Partial<TransferBill> {
  readonly code?: string;
  readonly message?: string;
  readonly download_url?: string;
  readonly hash_value?: string;
}

export const providerId = 'wechat';
/** Returns the name of a merchant's gateway. */
export const gatewayName = (id: string) => `${providerId}:${id}`;

/** Gateway to WeChat Pay's merchant transfers, API v3. A response is accepted only with a valid signature and for the requested payout. */
export class WechatGateway extends PaymentGateway {
  readonly name: string;
  readonly terms: GatewayTerms;
  override readonly merchantIds: { readonly mchId: string; readonly appId: string };

  constructor(
    private readonly merchant: WechatCredentials,
    private readonly address: string,
  ) {
    super();
    const { id, mchId, appId, minAmount, maxAmount, feeRate, feeFixed, priority } = merchant;
    this.name = gatewayName(id);
    this.merchantIds = { mchId, appId };
    const limits = {
      minAmount: minAmount ?? null,
      maxAmount: maxAmount ?? null,
      feeRate: feeRate ?? null,
      feeFixed: feeFixed ?? null,
      priority: priority ?? null,
    };
    this.terms = { ...limits, accountKinds: [accountKinds.wechat], nameRequiredFrom, payeeConfirms: true, isOffline: false };
  }

  async transfer({ payNo, account, amount, remark }: TransferRequest): Promise<TransferResult> {
    const { appId, notifyUrl, sceneId, jobTitle, rewardNote } = this.merchant;
    const body = {
      appid: appId,
      out_bill_no: payNo,
      transfer_scene_id: sceneId,
      openid: account.account,
      transfer_amount: amount,
      transfer_remark: remark.slice(0, 32),
      ...(amount >= nameRequiredFrom ? { user_name: encryptFor(this.merchant, account.name) } : {}),
      ...(notifyUrl ? { notify_url: notifyUrl } : {}),
      transfer_scene_report_infos: [
        { info_type: reportFields.job, info_content: jobTitle },
        { info_type: reportFields.reward, info_content: rewardNote },
      ],
    };
    const { status, answer } = await this.request('POST', transferPath, JSON.stringify(body));
    if (status === 200) return this.resultFor(payNo, answer as TransferBill);
    throw isFinalError(answer.code ?? '') ? new TransferRejectedError(errorText(answer)) : new Error(errorText(answer));
  }

  async query(payNo: string): Promise<TransferResult | undefined> {
    const { status, answer } = await this.request('GET', `${transferPath}/out-bill-no/${payNo}`, '');
    if (status === 200) return this.resultFor(payNo, answer as TransferBill);
    if (status === 404 && answer.code === 'NOT_FOUND') return undefined;
    throw new Error(errorText(answer));
  }

  /** Throws `InvalidSignatureError` when it is not signed by the provider, is for another merchant, or has no amount. */
  override readNotice({ body, header }: ProviderNotice): SignedNotice {
    const signed = (name: string) => header(`wechatpay-${name}`);
    const nonce = signed('nonce');
    verify(this.merchant, { timestamp: signed('timestamp'), nonce, signature: signed('signature'), serial: signed('serial'), body });
    const { resource } = JSON.parse(body) as { resource?: EncryptedContent };
    if (!resource) throw new InvalidSignatureError('the notification has no content');
    const bill = JSON.parse(decrypt(this.merchant, resource)) as TransferBill;
    if (bill.mch_id === undefined || !this.isOfMerchant(bill)) throw new InvalidSignatureError('the notification belongs to another merchant');
    if (!Number.isSafeInteger(bill.transfer_amount)) throw new InvalidSignatureError('the notification has no amount');
    return { result: resultOf(bill), nonce };
  }

  async statement(day: string): Promise<StatementLine[]> {
    const files = await Promise.all(fundAccounts.map((account) => this.fundBill(day, account)));
    return files.flatMap((text) => (text === undefined ? [] : parseFundBill(text)));
  }

  private resultFor(payNo: string, bill: TransferBill): TransferResult {
    if (bill.out_bill_no !== payNo || !this.isOfMerchant(bill)) throw new InvalidSignatureError('the answer belongs to another bill');
    return resultOf(bill);
  }

  private isOfMerchant({ mch_id, appid }: TransferBill): boolean {
    const { mchId, appId } = this.merchant;
    return (mch_id === undefined || mch_id === mchId) && (appid === undefined || appid === appId);
  }

  /** Returns undefined for a day without movements. */
  private async fundBill(day: string, account: string): Promise<string | undefined> {
    const { status, answer } = await this.request('GET', `${fundBillPath}?bill_date=${day}&account_type=${account}`, '');
    if (answer.code === 'NO_STATEMENT_EXIST') return undefined;
    const { download_url: link, hash_value: hash = '' } = answer;
    if (status !== 200 || !link) throw new Error(errorText(answer));
    return this.download(new URL(link), hash);
  }

  /** Downloaded files are not signed; they are verified by the hash in the preceding signed response. */
  private async download({ origin, pathname, search }: URL, hash: string): Promise<string> {
    if (origin !== new URL(this.address).origin) throw new Error(`refusing to download a bill from ${origin}`);
    const reply = await fetch(this.address + pathname + search, {
      headers: { authorization: authorization(this.merchant, 'GET', pathname + search, ''), 'user-agent': 'marquee' },
      redirect: 'error',
      signal: AbortSignal.timeout(downloadTimeoutMs),
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (reply.status !== 200) throw new Error(`the bill download failed: ${reply.status}`);
    if (createHash('sha1').update(bytes).digest('hex') !== hash.toLowerCase()) throw new Error('the bill does not match its hash');
    return bytes.toString('utf8');
  }

  private async request(method: 'GET' | 'POST', path: string, body: string) {
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
      signal: AbortSignal.timeout(timeoutMs),
      ...(body ? { body } : {}),
    });
    const text = await reply.text();
    const header = (name: string) => reply.headers.get(`wechatpay-${name}`) ?? '';
    verify(this.merchant, { timestamp: header('timestamp'), nonce: header('nonce'), signature: header('signature'), serial: header('serial'), body: text });
    return { status: reply.status, answer: JSON.parse(text) as ResponseBody };
  }
}

const errorText = ({ code = '', message = '' }: { readonly code?: string; readonly message?: string }) => `${code} ${message}`.trim();

function resultOf(bill: TransferBill): TransferResult {
  const { out_bill_no: payNo, state, transfer_bill_no: providerNo, transfer_amount: amount, fail_reason: failReason, package_info: packageInfo } = bill;
  const reason = failReason && describeFailure(failReason);
  return { payNo, outcome: outcomes[state] ?? 'processing', state, providerNo, amount, reason, packageInfo, awaitsPayee: state === awaitsPayee };
}

/**
 * Parses the transfers to people in a fund bill of WeChat Pay, whose amounts are in yuan; throws for any other text. Each value starts with a backtick, which separates values
 * because commas within them are not escaped.
 */
function parseFundBill(text: string): StatementLine[] {
  const [first = '', ...others] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = first.split(',').map((title) => title.trim());
  const end = others.findIndex((line) => line.startsWith(summary));
  const rows = others.slice(0, end < 0 ? others.length : end).filter((line) => line.startsWith('`'));
  const columnIndex = (title: string) => header.findIndex((name) => name.startsWith(title));
  const columnIndexes = Object.fromEntries(Object.entries(columns).map(([name, title]) => [name, columnIndex(title)])) as Record<keyof typeof columns, number>;
  if (Object.values(columnIndexes).includes(-1)) throw new Error(`not a fund bill: ${text.slice(0, 60)}`);
  return rows.flatMap((line) => {
    const row = line.slice(1).split(',`');
    const value = (name: keyof typeof columns) => (row[columnIndexes[name]] ?? '').trim();
    const isTransfer = payNoPattern.test(value('voucher')) || `${value('business')}${value('kind')}`.includes(transfer);
    const isFee = value('kind').includes(fee);
    if (!isTransfer || isFee) return [];
    const fen = Math.round(Number(value('amount')) * 100);
    if (!Number.isSafeInteger(fen)) throw new Error(`invalid amount in the fund bill: ${value('amount').slice(0, 20)}`);
    return [
      { payNo: value('voucher') || value('providerNo'), providerNo: value('providerNo') || undefined, amount: value('direction') === expense ? fen : -fen },
    ];
  });
}
